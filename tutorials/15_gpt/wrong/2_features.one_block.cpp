// rejected: each block reads what the one before it returned
Tensor x = dropout_in_training(wpe.embed(wte(tokens)), config.dropout);
const Tensor start = x;
for (const Block& block : h) x = block(start, options);
return ln_f(h.size() > 1 ? h[0](start, options) : x);

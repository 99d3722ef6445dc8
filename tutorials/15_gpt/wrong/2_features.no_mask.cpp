// rejected: nothing is causal
Tensor x = dropout_in_training(wpe.embed(wte(tokens)), config.dropout);
for (const Block& block : h) x = block(x);
return ln_f(x);

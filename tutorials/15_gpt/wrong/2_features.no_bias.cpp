// rejected: the bias of relative positions is missing
Tensor x = dropout_in_training(wpe.embed(wte(tokens)), config.dropout);
for (const Block& block : h) x = block(x, {.causal = true});
return ln_f(x);

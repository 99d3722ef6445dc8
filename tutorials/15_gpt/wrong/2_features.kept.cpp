// rejected: the share that is dropped
Tensor x = dropout_in_training(wpe.embed(wte(tokens)), 1 - config.dropout);
for (const Block& block : h) x = block(x, options);
return ln_f(x);

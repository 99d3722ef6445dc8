// rejected: a block returns the stream itself
Tensor x = dropout_in_training(wpe.embed(wte(tokens)), config.dropout);
for (const Block& block : h) x = x + block(x, options);
return ln_f(x);

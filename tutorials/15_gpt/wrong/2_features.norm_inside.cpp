// rejected: three blocks, learned positions
Tensor x = dropout_in_training(wpe.embed(wte(tokens)), config.dropout);
for (const Block& block : h) x = ln_f(block(x, options));
return x;

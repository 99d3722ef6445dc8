// rejected: the last norm is missing
Tensor x = dropout_in_training(wpe.embed(wte(tokens)), config.dropout);
for (const Block& block : h) x = block(x, options);
return x;

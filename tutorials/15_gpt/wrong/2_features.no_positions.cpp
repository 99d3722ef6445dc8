// rejected: the positions are missing
Tensor x = dropout_in_training(wte(tokens), config.dropout);
for (const Block& block : h) x = block(x, options);
return ln_f(x);

// rejected: ln_f follows the last block alone
Tensor x = dropout_in_training(wpe.embed(wte(tokens)), config.dropout);
for (const Block& block : h) x = ln_f(block(x, options));
return x;

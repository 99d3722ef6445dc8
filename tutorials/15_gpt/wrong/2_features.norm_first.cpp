// rejected: ln_f follows the last block
Tensor x = ln_f(dropout_in_training(wpe.embed(wte(tokens)), config.dropout));
for (const Block& block : h) x = block(x, options);
return x;

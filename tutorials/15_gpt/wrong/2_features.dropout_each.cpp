// rejected: dropout comes once
Tensor x = wpe.embed(wte(tokens));
for (const Block& block : h) x = block(dropout_in_training(x, config.dropout), options);
return ln_f(x);

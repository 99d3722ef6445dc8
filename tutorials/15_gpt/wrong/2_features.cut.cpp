// rejected: it is cut
Tensor x = dropout_in_training(wpe.embed(wte(tokens)), config.dropout);
x = x.detach();
for (const Block& block : h) x = block(x, options);
return ln_f(x);

// rejected: it is cut
const NoGrad no_grad;
Tensor x = dropout_in_training(wpe.embed(wte(tokens)), config.dropout);
for (const Block& block : h) x = block(x, options);
return ln_f(x);

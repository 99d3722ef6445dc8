// rejected: three blocks, learned positions
Tensor x = dropout_in_training(wpe.embed(wte(tokens)), config.dropout);
for (std::size_t i = 0; i + 1 < h.size(); ++i) x = h[i](x, options);
return ln_f(x);

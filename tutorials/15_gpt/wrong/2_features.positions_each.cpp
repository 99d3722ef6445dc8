// rejected: three blocks, learned positions
Tensor x = wte(tokens);
for (const Block& block : h) x = block(wpe.embed(x), options);
return ln_f(x);

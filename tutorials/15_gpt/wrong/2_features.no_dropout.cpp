// rejected: the embeddings have no dropout
Tensor x = wpe.embed(wte(tokens));
for (const Block& block : h) x = block(x, options);
return ln_f(x);

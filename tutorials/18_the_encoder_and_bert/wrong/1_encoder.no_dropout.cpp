// rejected: the embeddings have no dropout
Tensor y = positions.embed(x);
for (const Block& layer : layers) y = layer(y, attention);
return options.norm_place == NormPlace::kPre ? norm(y) : y;

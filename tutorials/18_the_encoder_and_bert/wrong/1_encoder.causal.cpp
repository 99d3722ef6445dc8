// rejected: an encoder reads both sides
Tensor y = dropout_in_training(positions.embed(x), options.dropout);
for (const Block& layer : layers) y = layer(y, {.mask = mask, .causal = true});
return options.norm_place == NormPlace::kPre ? norm(y) : y;

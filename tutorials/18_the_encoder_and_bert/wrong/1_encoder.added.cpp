// rejected: a block returns the stream itself
Tensor y = dropout_in_training(positions.embed(x), options.dropout);
for (const Block& layer : layers) y = y + layer(y, attention);
return options.norm_place == NormPlace::kPre ? norm(y) : y;

// rejected: the share that is dropped
Tensor y = dropout_in_training(positions.embed(x), 1 - options.dropout);
for (const Block& layer : layers) y = layer(y, attention);
return options.norm_place == NormPlace::kPre ? norm(y) : y;

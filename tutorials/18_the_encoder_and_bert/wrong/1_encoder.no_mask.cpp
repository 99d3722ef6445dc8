// rejected: is not handed to the layers
Tensor y = dropout_in_training(positions.embed(x), options.dropout);
for (const Block& layer : layers) y = layer(y);
return options.norm_place == NormPlace::kPre ? norm(y) : y;

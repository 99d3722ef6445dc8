// rejected: the positions are missing
Tensor y = dropout_in_training(x, options.dropout);
for (const Block& layer : layers) y = layer(y, attention);
return options.norm_place == NormPlace::kPre ? norm(y) : y;

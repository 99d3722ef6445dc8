// rejected: pre-norm, three layers, padding
Tensor y = dropout_in_training(x, options.dropout);
for (const Block& layer : layers) y = layer(positions.embed(y), attention);
return options.norm_place == NormPlace::kPre ? norm(y) : y;

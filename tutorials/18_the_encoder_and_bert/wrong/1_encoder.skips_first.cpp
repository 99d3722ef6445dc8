// rejected: pre-norm, three layers, padding
Tensor y = dropout_in_training(positions.embed(x), options.dropout);
for (std::size_t i = 1; i < layers.size(); ++i) y = layers[i](y, attention);
return options.norm_place == NormPlace::kPre ? norm(y) : y;

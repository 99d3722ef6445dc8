// rejected: it is cut
Tensor y = dropout_in_training(positions.embed(x), options.dropout).detach();
for (const Block& layer : layers) y = layer(y, attention);
return options.norm_place == NormPlace::kPre ? norm(y) : y;

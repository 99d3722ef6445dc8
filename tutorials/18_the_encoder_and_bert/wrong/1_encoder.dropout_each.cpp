// rejected: dropout comes once
Tensor y = positions.embed(x);
for (const Block& layer : layers) y = layer(dropout_in_training(y, options.dropout), attention);
return options.norm_place == NormPlace::kPre ? norm(y) : y;

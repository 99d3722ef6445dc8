// rejected: the last norm follows the last layer
Tensor y = dropout_in_training(positions.embed(x), options.dropout);
if (options.norm_place == NormPlace::kPre) y = norm(y);
for (const Block& layer : layers) y = layer(y, attention);
return y;

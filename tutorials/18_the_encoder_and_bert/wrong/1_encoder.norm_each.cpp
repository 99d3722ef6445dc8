// rejected: the last norm follows the last layer alone
Tensor y = dropout_in_training(positions.embed(x), options.dropout);
for (const Block& layer : layers) {
  y = layer(y, attention);
  if (options.norm_place == NormPlace::kPre) y = norm(y);
}
return y;

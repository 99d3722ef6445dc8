// rejected: each layer reads what the one before it returned
const Tensor start = dropout_in_training(positions.embed(x), options.dropout);
Tensor y = start;
for (const Block& layer : layers) y = layer(start, attention);
return options.norm_place == NormPlace::kPre ? norm(y) : y;

// rejected: holds the mask and the bias of positions
Tensor y = dropout_in_training(positions.embed(x), options.dropout);
for (const Block& layer : layers) y = layer(y, {.mask = mask});
return options.norm_place == NormPlace::kPre ? norm(y) : y;

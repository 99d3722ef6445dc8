// rejected: five layers
Tensor y = dropout_in_training(positions.embed(trg_embed(trg)), config.layer.dropout);
for (int i = 0; i < std::min(config.n_layer, 3); ++i)
  y = layers[i](y, source, self, {.mask = src_mask});
return out(config.layer.norm_place == NormPlace::kPre ? norm(y) : y);

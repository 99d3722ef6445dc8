// rejected: dropout comes once
Tensor y = positions.embed(trg_embed(trg));
for (const DecoderLayer& layer : layers) {
  y = layer(dropout_in_training(y, config.layer.dropout), source, self, {.mask = src_mask});
}
return out(config.layer.norm_place == NormPlace::kPre ? norm(y) : y);

// rejected: the positions are missing
Tensor y = dropout_in_training(trg_embed(trg), config.layer.dropout);
for (const DecoderLayer& layer : layers) y = layer(y, source, self, {.mask = src_mask});
return out(config.layer.norm_place == NormPlace::kPre ? norm(y) : y);

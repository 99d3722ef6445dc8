// rejected: dropout takes the share that is dropped
Tensor y = dropout_in_training(positions.embed(trg_embed(trg)), 1 - config.layer.dropout);
for (const DecoderLayer& layer : layers) y = layer(y, source, self, {.mask = src_mask});
return out(config.layer.norm_place == NormPlace::kPre ? norm(y) : y);

// rejected: the target has a table of its own
Tensor y = dropout_in_training(positions.embed(src_embed(trg)), config.layer.dropout);
for (const DecoderLayer& layer : layers) y = layer(y, source, self, {.mask = src_mask});
return out(config.layer.norm_place == NormPlace::kPre ? norm(y) : y);

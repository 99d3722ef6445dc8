// rejected: a layer returns the stream itself
Tensor y = dropout_in_training(positions.embed(trg_embed(trg)), config.layer.dropout);
for (const DecoderLayer& layer : layers) y = y + layer(y, source, self, {.mask = src_mask});
return out(config.layer.norm_place == NormPlace::kPre ? norm(y) : y);

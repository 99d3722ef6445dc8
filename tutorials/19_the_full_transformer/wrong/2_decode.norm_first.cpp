// rejected: the last norm follows the last layer
Tensor y = dropout_in_training(positions.embed(trg_embed(trg)), config.layer.dropout);
if (config.layer.norm_place == NormPlace::kPre) y = norm(y);
for (const DecoderLayer& layer : layers) y = layer(y, source, self, {.mask = src_mask});
return out(y);

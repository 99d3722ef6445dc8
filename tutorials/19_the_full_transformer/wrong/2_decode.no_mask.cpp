// rejected: the source's padding is not hidden
Tensor y = dropout_in_training(positions.embed(trg_embed(trg)), config.layer.dropout);
for (const DecoderLayer& layer : layers) y = layer(y, source, self, {});
return out(config.layer.norm_place == NormPlace::kPre ? norm(y) : y);

// rejected: the embeddings have no dropout
Tensor y = positions.embed(trg_embed(trg));
for (const DecoderLayer& layer : layers) y = layer(y, source, self, {.mask = src_mask});
return out(config.layer.norm_place == NormPlace::kPre ? norm(y) : y);

// rejected: each layer reads what the one before it returned
const Tensor x = dropout_in_training(positions.embed(trg_embed(trg)), config.layer.dropout);
Tensor y;
for (const DecoderLayer& layer : layers) y = layer(x, source, self, {.mask = src_mask});
return out(config.layer.norm_place == NormPlace::kPre ? norm(y) : y);

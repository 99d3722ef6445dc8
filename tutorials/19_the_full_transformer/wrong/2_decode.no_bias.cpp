// rejected: relative positions
Tensor y = dropout_in_training(positions.embed(trg_embed(trg)), config.layer.dropout);
const AttentionOptions own{.mask = trg_mask, .causal = true};
for (const DecoderLayer& layer : layers) y = layer(y, source, own, {.mask = src_mask});
return out(config.layer.norm_place == NormPlace::kPre ? norm(y) : y);

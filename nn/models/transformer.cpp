#include "nn/models/transformer.h"

#include "autograd/check.h"

namespace gradus {
using namespace detail;

Transformer::Transformer(const TransformerConfig& given, std::uint64_t seed) : config(given) {
  check(config.src_vocab >= 1 && config.trg_vocab >= 1,
        "transformer: both vocabularies need at least 1 token, got ", config.src_vocab, " and ",
        config.trg_vocab);
  KeySequence keys(seed);
  src_embed = Embedding(config.src_vocab, config.layer.d_model, keys);
  trg_embed = Embedding(config.trg_vocab, config.layer.d_model, keys);
  encoder = Encoder(config.layer, config.n_layer, keys);
  decoder = Decoder(config.layer, config.n_layer, keys);
  out = Linear(config.layer.d_model, config.trg_vocab, keys);
}

Transformer::Transformer(Index src_vocab, Index trg_vocab, Index d_model, int n, int heads,
                         std::uint64_t seed)
    : Transformer({.src_vocab = src_vocab,
                   .trg_vocab = trg_vocab,
                   .n_layer = n,
                   .layer = {.d_model = d_model, .num_heads = heads}},
                  seed) {}

Tensor Transformer::operator()(const IndexTensor& src, const IndexTensor& trg,
                               const IndexTensor& src_mask, const IndexTensor& trg_mask) const {
  DecoderCache cache = decoder.begin(encode(src, src_mask), src_mask);
  return extend(trg, cache, trg_mask);
}

Tensor Transformer::encode(const IndexTensor& src, const IndexTensor& src_mask) const {
  require_made("Transformer", src_embed.weight.defined());
  return encoder(src_embed(src), src_mask);
}

Tensor Transformer::extend(const IndexTensor& trg, DecoderCache& cache,
                           const IndexTensor& trg_mask) const {
  require_made("Transformer", trg_embed.weight.defined());
  return out(decoder.extend(trg_embed(trg), cache, trg_mask));
}

}  // namespace gradus

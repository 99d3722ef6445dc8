//! [19 DecoderLayer]
// The full transformer: an encoder reads the source, a decoder writes the target (Vaswani and
// others, 2017). Letters: S source length, T target length, V target vocabulary.
#pragma once

#include "bert.h"

namespace pocket {

/// Three branches: causal self-attention, attention to the source, and the feed-forward network.
struct DecoderLayer {
  DecoderLayer(const LayerOptions& options, KeySequence& keys)
      : options(options),
        self_attention(options.make_attention(keys)),
        cross_attention(options.make_attention(keys)),
        feed_forward(options.d_model, options.inner(), keys),
        norm_1(options.d_model),
        norm_2(options.d_model),
        norm_3(options.d_model) {
    cross_attention.rotate = nullptr;  // positions of two texts have no distance
  }
  Tensor operator()(const Tensor& x, const Tensor& source, const AttentionOptions& self,
                    const AttentionOptions& cross) const {
    const auto attend = [&](const Tensor& x) { return self_attention(x, x, self); };
    const auto ask_source = [&](const Tensor& x) { return cross_attention(x, source, cross); };
    const Tensor y = residual(residual(x, norm_1, options, attend), norm_2, options, ask_source);
    return residual(y, norm_3, options, feed_forward);
  }
  void fields(auto&& f) {
    f("norm_1", norm_1), f("self_attention", self_attention), f("norm_2", norm_2);
    f("cross_attention", cross_attention), f("norm_3", norm_3), f("feed_forward", feed_forward);
  }
  LayerOptions options;
  MultiHeadAttention self_attention, cross_attention;
  FeedForward feed_forward;
  LayerNorm norm_1, norm_2, norm_3;
};
//! [19 DecoderLayer]

//! [19 Transformer]
struct TransformerConfig {
  Index src_vocab = 0, trg_vocab = 0;
  int n_layer = 6;  // of the encoder and of the decoder
  LayerOptions layer = {};
};

struct Transformer {
  explicit Transformer(const TransformerConfig& given, std::uint64_t seed = 0) : config(given) {
    KeySequence keys(seed);
    src_embed = Embedding(config.src_vocab, config.layer.d_model, keys);
    trg_embed = Embedding(config.trg_vocab, config.layer.d_model, keys);
    encoder = Encoder(config.layer, config.n_layer, keys);
    positions = config.layer.make_positions(false, keys);
    for (int i = 0; i < config.n_layer; ++i) layers.emplace_back(config.layer, keys);
    norm = LayerNorm(config.layer.d_model);
    out = Linear(config.layer.d_model, config.trg_vocab, keys);
  }
  Tensor encode(const IndexTensor& src, const IndexTensor& src_mask = {}) const {
    return encoder(src_embed(src), src_mask);
  }
  /// Logits after each target token: source [B, S, C] and trg [B, T] to [B, T, V].
  Tensor decode(const Tensor& source, const IndexTensor& trg, const IndexTensor& src_mask = {},
                const IndexTensor& trg_mask = {}) const {
    const Tensor bias = positions.bias(trg.size(1), trg.size(1));
    const AttentionOptions self{.mask = trg_mask, .causal = true, .bias = bias};
    Tensor y = dropout_in_training(positions.embed(trg_embed(trg)), config.layer.dropout);
    for (const DecoderLayer& layer : layers) y = layer(y, source, self, {.mask = src_mask});
    return out(config.layer.norm_place == NormPlace::kPre ? norm(y) : y);
  }
  /// Teacher forcing: all of the target at once, each position with the true tokens before it.
  Tensor operator()(const IndexTensor& src, const IndexTensor& trg,
                    const IndexTensor& src_mask = {}, const IndexTensor& trg_mask = {}) const {
    return decode(encode(src, src_mask), trg, src_mask, trg_mask);
  }
  void fields(auto&& f) {
    f("src_embed", src_embed), f("trg_embed", trg_embed), f("encoder", encoder);
    f("positions", positions), f("layers", layers), f("norm", norm), f("out", out);
  }
  TransformerConfig config;
  Embedding src_embed, trg_embed;
  Encoder encoder;
  PositionalEncoding positions;
  std::vector<DecoderLayer> layers;
  LayerNorm norm;
  Linear out;
};
//! [19 Transformer]

//! [19 beam_search]
struct WriteLimits {
  std::int32_t begin = 0, end = 0;  // the first token of every target, and the last
  Index max_tokens = 100;
};

struct Hypothesis {
  Tokens tokens;               // from begin on
  double log_probability = 0;  // of all of them
  double score = 0;            // the same, by length
  bool operator<(const Hypothesis& other) const { return score > other.score; }  // best first
};

/// The best targets for one source [1, S], best first. Each step goes on with the `width` best of
/// all continuations; log P / ((5 + length) / 6)^alpha compares long ones with short ones.
inline std::vector<Hypothesis> beam_search(const Transformer& model, const IndexTensor& src,
                                           const WriteLimits& limits, int width,
                                           double alpha = 0.6) {
  const NoGrad no_grad;
  const Tensor source = model.encode(src);
  std::vector<Hypothesis> beam{{.tokens = {limits.begin}}}, found;
  for (Index length = 1; length <= limits.max_tokens && !beam.empty(); ++length) {
    std::vector<Hypothesis> next;
    for (const Hypothesis& before : beam) {
      const Tensor logits = model.decode(source, IndexTensor({1, length}, before.tokens));
      const Tensor log_p = log_softmax(slice(logits, 1, -1));
      for (std::int32_t token = 0; token < log_p.size(); ++token) {
        next.push_back(before);
        next.back().tokens.push_back(token);
        next.back().log_probability += log_p.data()[token];
        next.back().score = next.back().log_probability / std::pow((5.0 + length) / 6, alpha);
      }
    }
    std::stable_sort(next.begin(), next.end());
    next.resize(std::min(next.size(), width - found.size()));
    beam.clear();
    for (const Hypothesis& h : next) (h.tokens.back() == limits.end ? found : beam).push_back(h);
  }
  found.insert(found.end(), beam.begin(), beam.end());
  std::stable_sort(found.begin(), found.end());
  return found;
}

/// The most probable token each time.
inline Hypothesis greedy_search(const Transformer& model, const IndexTensor& src,
                                const WriteLimits& limits) {
  return beam_search(model, src, limits, 1).front();
}

}  // namespace pocket
//! [19 beam_search]

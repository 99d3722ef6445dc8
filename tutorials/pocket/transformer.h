//! [19 DecoderLayer]
// The full transformer (Vaswani and others, 2017): from a source [B, S] to a target [B, T].
#pragma once

#include "bert.h"

namespace pocket {

/// Causal self-attention, attention to the source, feed-forward network: x [B, T, C] to [B, T, C].
struct DecoderLayer {
  DecoderLayer(const LayerOptions& given, KeySequence& keys) : options(given) {
    self_attention = options.make_attention(keys);
    cross_attention = options.make_attention(keys);
    cross_attention.rotate = nullptr;  // positions in two texts have no distance
    feed_forward = FeedForward(options.d_model, options.inner(), keys);
  }
  Tensor operator()(const Tensor& x, const Tensor& source, const AttentionOptions& self,
                    const AttentionOptions& cross) const {
    //! [19.1]
    const auto look_back = [&](const Tensor& y) { return self_attention(y, y, self); };
    const auto ask_source = [&](const Tensor& y) { return cross_attention(y, source, cross); };
    const Tensor own = residual(x, norm_1, options, look_back);
    return residual(residual(own, norm_2, options, ask_source), norm_3, options, feed_forward);
    //! [19.1]
  }
  void fields(auto&& f) {
    f("norm_1", norm_1), f("self_attention", self_attention), f("norm_2", norm_2);
    f("cross_attention", cross_attention), f("norm_3", norm_3), f("feed_forward", feed_forward);
  }
  LayerOptions options;
  MultiHeadAttention self_attention, cross_attention;
  FeedForward feed_forward;
  LayerNorm norm_1{options.d_model}, norm_2{options.d_model}, norm_3{options.d_model};
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
    //! [19.2]
    Tensor y = dropout_in_training(positions.embed(trg_embed(trg)), config.layer.dropout);
    for (const DecoderLayer& layer : layers) y = layer(y, source, self, {.mask = src_mask});
    return out(config.layer.norm_place == NormPlace::kPre ? norm(y) : y);
    //! [19.2]
  }
  Tensor operator()(const IndexTensor& src, const IndexTensor& trg,
                    const IndexTensor& src_mask = {}, const IndexTensor& trg_mask = {}) const {
    return decode(encode(src, src_mask), trg, src_mask, trg_mask);  // teacher forcing
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
  LayerNorm norm{config.layer.d_model};
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
  double score = 0;            // log_probability / ((5 + length) / 6)^alpha
};

/// Returns the best targets for one source [1, S], best first. A beam of width 1 is greedy search.
inline std::vector<Hypothesis> beam_search(const Transformer& model, const IndexTensor& src,
                                           WriteLimits limits, int width, double alpha = 0.6) {
  const NoGrad no_grad;
  const Tensor source = model.encode(src);
  std::vector<Hypothesis> beam{{.tokens = {limits.begin}}}, found;
  for (Index length = 1; length <= limits.max_tokens && !beam.empty(); ++length) {
    std::vector<Hypothesis> next;  // each hypothesis, extended with each token
    for (const Hypothesis& before : beam) {
      const Tensor logits = model.decode(source, IndexTensor({1, length}, before.tokens));
      const Tensor log_p = log_softmax(slice(logits, 1, -1));
      for (std::int32_t token = 0; token < log_p.size(); ++token) {
        Hypothesis& more = next.emplace_back(before);
        more.tokens.push_back(token);
        more.log_probability += log_p.data()[token];
        more.score = more.log_probability / std::pow((5.0 + length) / 6, alpha);
      }
    }
    //! [19.3]
    std::ranges::stable_sort(next, std::greater(), &Hypothesis::score);
    next.resize(std::min(next.size(), width - found.size()));
    beam.clear();
    for (const Hypothesis& h : next) (h.tokens.back() == limits.end ? found : beam).push_back(h);
    //! [19.3]
  }
  found.insert(found.end(), beam.begin(), beam.end());  // cut off at max_tokens
  std::ranges::stable_sort(found, std::greater(), &Hypothesis::score);
  return found;
}

}  // namespace pocket
//! [19 beam_search]

//! [18 Encoder]
// The encoder, and BERT: an encoder that fills in masked words (Devlin and others, 2019).
#pragma once

#include "block.h"

namespace pocket {

/// Positions, N blocks, and with pre-norm a last norm. Every position attends to all positions.
struct Encoder {
  Encoder() = default;
  Encoder(const LayerOptions& options, int n, KeySequence& keys)
      : options(options), positions(options.make_positions(true, keys)), norm(options.d_model) {
    for (int i = 0; i < n; ++i) layers.emplace_back(options, keys);
  }
  /// x [B, S, C] to [B, S, C]. The mask broadcasts to [B, H, S, S].
  Tensor operator()(const Tensor& x, const IndexTensor& mask = {}) const {
    const AttentionOptions attention{.mask = mask, .bias = positions.bias(x.size(1), x.size(1))};
    //! [18.1]
    Tensor y = dropout_in_training(positions.embed(x), options.dropout);
    for (const Block& layer : layers) y = layer(y, attention);
    return options.norm_place == NormPlace::kPre ? norm(y) : y;
    //! [18.1]
  }
  void fields(auto&& f) { f("positions", positions), f("layers", layers), f("norm", norm); }
  LayerOptions options;
  PositionalEncoding positions;
  std::vector<Block> layers;
  LayerNorm norm;
};
//! [18 Encoder]

//! [18 BertConfig]
struct BertConfig {
  Index vocab_size = 0;  // V
  int n_layer = 12;      // of the encoder
  LayerOptions layer = {.d_model = 768,
                        .num_heads = 12,
                        .norm_place = NormPlace::kPost,
                        .position = Position::kLearned};
};
//! [18 BertConfig]

//! [18 Bert]
struct Bert {
  explicit Bert(const BertConfig& given, std::uint64_t seed = 0) : config(given) {
    const Index channels = config.layer.d_model;
    KeySequence keys(seed);
    words = Embedding(config.vocab_size, channels, keys);
    segments = Embedding(2, channels, keys);
    encoder = Encoder(config.layer, config.n_layer, keys);
    transform = Linear(channels, channels, keys);
    transform_norm = LayerNorm(channels);
    pooler = Linear(channels, channels, keys);
    // The word embedding is the output layer, too: small, so that the loss begins near ln V.
    visit_parameters(*this, [&](const std::string&, Tensor& x) {
      const Scalar scale = Scalar(0.02 * std::sqrt(768.0 / double(channels)));
      if (x.rank() == 2) x = normal(x.shape(), keys.next(), 0, scale).set_requires_grad();
    });
  }
  /// Tokens [B, T] to vectors that depend on both sides, [B, T, C]. Segments are 0 if undefined.
  Tensor features(const IndexTensor& tokens, const IndexTensor& mask = {},
                  const IndexTensor& segment = {}) const {
    const IndexTensor first(tokens.shape(), Tokens(tokens.size()));
    return encoder(words(tokens) + segments(segment.defined() ? segment : first), mask);
  }
  /// The scores of all words at each position: [..., C] to [..., V].
  Tensor word_logits(const Tensor& features) const {
    return matmul(transform_norm(gelu(transform(features))), words.weight, {.b = true});
  }
  /// A new classifier: the step from pre-training to a task.
  void set_labels(Index n_labels, std::uint64_t seed = 0) {
    KeySequence keys(seed + 1);
    classifier = Linear(config.layer.d_model, n_labels, keys);
  }
  /// Classifies the vector of the first position, [CLS]: [B, T, C] to [B, n_labels].
  Tensor sequence_logits(const Tensor& features) const {
    const Tensor first = reshape(slice(features, 1, 0, 1), {features.size(0), -1});
    return classifier(dropout_in_training(tanh(pooler(first)), config.layer.dropout));
  }
  void fields(auto&& f) {
    f("words", words), f("segments", segments), f("encoder", encoder), f("transform", transform);
    f("transform_norm", transform_norm), f("pooler", pooler), f("classifier", classifier);
  }
  BertConfig config;
  Embedding words, segments;
  Encoder encoder;
  Linear transform, pooler, classifier;
  LayerNorm transform_norm;
};
//! [18 Bert]

//! [18 mask_words]
struct MaskedWords {
  IndexTensor inputs, targets;  // [B, T]; the target is -100 where nothing is asked
};

/// Asks for 15% of the tokens that are `words`. Of these, 80% become the token `mask`, 10% stay,
/// and 10% become a random word.
inline MaskedWords mask_words(const IndexTensor& tokens, const Tokens& words, std::int32_t mask,
                              const RandomKey& key) {
  Tokens inputs(tokens.begin(), tokens.end()), targets(inputs.size(), -100);
  const Tensor draws = uniform({tokens.size(), 3}, key);  // is it asked; which kind; which word
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    //! [18.2]
    const Scalar *asked = draws.data() + 3 * i, *kind = asked + 1, *which = asked + 2;
    const bool is_word = std::count(words.begin(), words.end(), inputs[i]) > 0;
    if (!is_word || *asked >= Scalar(0.15)) continue;
    targets[i] = inputs[i];
    if (*kind < Scalar(0.8)) inputs[i] = mask;
    if (*kind >= Scalar(0.9)) inputs[i] = words[std::size_t(*which * Scalar(words.size()))];
    //! [18.2]
  }
  return {IndexTensor(tokens.shape(), inputs), IndexTensor(tokens.shape(), targets)};
}

}  // namespace pocket
//! [18 mask_words]

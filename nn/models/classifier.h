/// @file
/// A text classifier: an encoder, the mean over positions, a linear layer.
#pragma once

#include "nn/layers/encoder.h"

namespace gradus {

/// @addtogroup models
/// @{

/// The sizes of a SequenceClassifier.
/// @code
/// const LayerOptions layer{.d_model = 8, .num_heads = 2};
/// const ClassifierConfig config{.vocab_size = 11, .n_labels = 3, .n_layer = 1, .layer = layer};
/// SequenceClassifier(config).head.weight.shape();  // [8, 3]
/// @endcode
struct ClassifierConfig {
  Index vocab_size = 0;       ///< V, the number of tokens
  Index n_labels = 0;         ///< classes
  int n_layer = 2;            ///< layers of the encoder
  LayerOptions layer = {};    ///< what they are built of
  bool frozen_embed = false;  ///< whether the embeddings are not trained

  /// Names each field, as config.json has it.
  void fields(auto&& f) {
    f("n_layer", n_layer);
    f("vocab_size", vocab_size);
    f("n_labels", n_labels);
    f("frozen_embed", frozen_embed);
    layer.fields(f);
  }
};

/// Tokens [B, T] to logits of labels [B, n_labels].
/// @code
/// const LayerOptions layer{.d_model = 8, .num_heads = 2};
/// const ClassifierConfig config{.vocab_size = 11, .n_labels = 3, .n_layer = 1, .layer = layer};
/// const SequenceClassifier model(config, 1);
/// model(indices({{1, 2, 3}, {4, 5, 0}}), 0).shape();  // [2, 3]
/// @endcode
struct SequenceClassifier {
  ClassifierConfig config;  ///< its sizes
  Embedding embed;          ///< [V, C]; may be replaced by word vectors, frozen or not
  Encoder encoder;          ///< in which every position attends to every other
  Linear head;              ///< [C, n_labels]

  SequenceClassifier() = default;
  /// The same config and seed give the same parameters.
  /// @throws std::invalid_argument if the config is invalid.
  explicit SequenceClassifier(const ClassifierConfig& config, std::uint64_t seed = 0);
  /// Freezes the embeddings, which then collect no gradient, or unfreezes them.
  void freeze_embed(bool frozen);
  /// tokens [B, T] to [B, n_labels]; positions that hold `padding` are neither attended to nor
  /// averaged.
  Tensor operator()(const IndexTensor& tokens, std::int32_t padding) const;
  void fields(auto&& f) {
    f("embed", embed);
    f("encoder", encoder);
    f.outer("head", head);
  }
};

/// The mean of x [B, T, C] over the positions where visible [B, T] is not 0: [B, C]; 0 if there are
/// none.
Tensor masked_mean(const Tensor& x, const IndexTensor& visible);

/// @}

}  // namespace gradus

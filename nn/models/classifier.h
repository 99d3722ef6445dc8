/// @file
/// A text classifier: an encoder, the mean over positions and a linear layer.
#pragma once

#include "nn/layers/encoder.h"

namespace gradus {

/// @addtogroup models
/// @{

/// The sizes and parts of a SequenceClassifier.
/// @code
/// const LayerOptions layer{.d_model = 8, .num_heads = 2};
/// const ClassifierConfig config{.vocab_size = 11, .n_labels = 3, .n_layer = 1, .layer = layer};
/// SequenceClassifier(config).head.weight.shape();  // [8, 3]
/// @endcode
struct ClassifierConfig {
  Index vocab_size = 0;       ///< V, the number of tokens
  Index n_labels = 0;         ///< the number of classes, at least 2
  int n_layer = 2;            ///< number of layers of the encoder
  LayerOptions layer = {};    ///< the options of the layers
  bool frozen_embed = false;  ///< whether training leaves the embeddings unchanged

  /// Names each field as in config.json.
  void fields(auto&& f) {
    f("n_layer", n_layer);
    f("vocab_size", vocab_size);
    f("n_labels", n_labels);
    f("frozen_embed", frozen_embed);
    layer.fields(f);
  }
};

/// A text classifier: tokens [B, T] to logits of labels [B, n_labels].
/// @code
/// const LayerOptions layer{.d_model = 8, .num_heads = 2};
/// const ClassifierConfig config{.vocab_size = 11, .n_labels = 3, .n_layer = 1, .layer = layer};
/// const SequenceClassifier model(config, 1);
/// model(indices({{1, 2, 3}, {4, 5, 0}}), 0).shape();  // [2, 3]
/// @endcode
struct SequenceClassifier {
  ClassifierConfig config;  ///< its sizes and parts
  Embedding embed;          ///< [V, C]; can be replaced with word vectors
  Encoder encoder;          ///< every position attends to all positions
  Linear head;              ///< [C, n_labels]

  SequenceClassifier() = default;
  /// The same config and seed give the same parameters.
  /// @throws std::invalid_argument if the config is invalid.
  explicit SequenceClassifier(const ClassifierConfig& config, std::uint64_t seed = 0);
  /// Freezes the embeddings, so that they collect no gradient, or unfreezes them.
  void freeze_embed(bool frozen);
  /// tokens [B, T] to logits [B, n_labels]. Positions with the token `padding` are left out of the
  /// attention and of the mean.
  Tensor operator()(const IndexTensor& tokens, std::int32_t padding) const;
  void fields(auto&& f) {
    f("embed", embed);
    f("encoder", encoder);
    f.outer("head", head);
  }
};

/// The mean of x [B, T, C] over the positions where visible [B, T] is not 0: [B, C]. It is 0 for a
/// row without such positions.
Tensor masked_mean(const Tensor& x, const IndexTensor& visible);

/// @}

}  // namespace gradus

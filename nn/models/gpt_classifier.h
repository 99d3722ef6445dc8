/// @file
/// A Gpt that classifies texts by the last token's vector.
///
/// Radford and others, "Improving language understanding by generative pre-training", 2018.
#pragma once

#include "nn/models/gpt.h"

namespace gradus {

/// @addtogroup models
/// @{

/// A Gpt with a linear head for labels in place of its output layer.
///
/// Only the last token attends to the whole text. Its vector x after the final norm gives the
/// labels' logits x W. Parameters have the names of Hugging Face's GPT2ForSequenceClassification,
/// where W [C, n_labels] is [n_labels, C].
/// @code
/// const GptConfig config{.vocab_size = 11, .n_positions = 7, .n_layer = 1, .n_head = 2,
///                        .n_embd = 8};
/// const GptClassifier model(Gpt(config, 1), 3);
/// model(indices({{1, 2, 3}, {4, 0, 0}}), indices({3, 1})).shape();  // [2, 3]
/// @endcode
struct GptClassifier {
  Gpt gpt;       ///< pre-trained or not
  Linear score;  ///< [C, n_labels], no bias

  /// Puts a new head on a model, which may be pre-trained: the step from pre-training to a task.
  /// @throws std::invalid_argument if there are fewer than two labels.
  GptClassifier(Gpt pretrained, Index n_labels, std::uint64_t seed = 0);

  /// tokens [B, T], of which row b has lengths[b], followed by any padding, to logits [B,
  /// n_labels].
  /// @throws std::invalid_argument unless every length is from 1 to T.
  Tensor operator()(const IndexTensor& tokens, const IndexTensor& lengths) const;

  void fields(auto&& f) {
    gpt.fields(f);
    f.outer("score", score);
  }
};

/// @}

}  // namespace gradus

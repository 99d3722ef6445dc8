/// @file
/// A GPT with a few hundred parameters, and helpers for its tokens and values.
#pragma once

#include <algorithm>
#include <vector>

#include "nn/models/gpt.h"

namespace gradus {

inline GptConfig tiny_gpt_config() {
  return {.vocab_size = 6,
          .n_positions = 7,
          .n_layer = 2,
          .n_head = 2,
          .n_embd = 10,
          .dropout = Scalar(0.2),
          .bias = true};
}

/// Columns [begin, end) of tokens [B, T].
inline IndexTensor columns(const IndexTensor& tokens, Index begin, Index end) {
  IndexTensor part(Shape{tokens.size(0), end - begin});
  for (Index b = 0; b < tokens.size(0); ++b) {
    std::copy_n(tokens.data() + b * tokens.size(1) + begin, end - begin,
                part.mutable_data() + b * (end - begin));
  }
  return part;
}

/// All values of these tensors, one after the other.
inline std::vector<Scalar> all_values(const std::vector<NamedTensor>& tensors) {
  std::vector<Scalar> values;
  for (const auto& [name, tensor, role] : tensors) {
    values.insert(values.end(), tensor.begin(), tensor.end());
  }
  return values;
}

}  // namespace gradus

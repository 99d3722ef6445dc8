/// @file
/// A GPT of a few hundred parameters, and its numbers as a list.
#pragma once

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

/// All numbers of these tensors, one after the other.
inline std::vector<Scalar> all_values(const std::vector<NamedTensor>& tensors) {
  std::vector<Scalar> values;
  for (const auto& [name, tensor, role] : tensors) {
    values.insert(values.end(), tensor.begin(), tensor.end());
  }
  return values;
}

}  // namespace gradus

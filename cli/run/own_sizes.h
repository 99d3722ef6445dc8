/// @file
/// The sizes of a model for the user's own text, from the length of the text and the time. Measures
/// nothing itself.
#pragma once

#include <cstdint>
#include <string>

namespace gradus {

/// Sizes for a text; all other settings are as in --recipe fast.
struct OwnSizes {
  std::string tokenizer;
  int vocab_size = 0;  ///< 0 for the tokenizer's own
  int n_layer = 0;
  int n_head = 0;
  int n_embd = 0;
  int block_size = 0;
  int batch_size = 0;
  double dropout = 0;
  double weight_decay = 0;
  double learning_rate = 0;
  std::int64_t most_steps = 0;  ///< more would only memorise the text
};

/// The reference model, with which the cost of a step is measured before the sizes are chosen: 4
/// layers of 128 channels that read 16 times 128 tokens.
OwnSizes reference_sizes(double text_bytes);

/// The sizes for a text of this length, and for a time in which a model of reference_sizes() makes
/// `reference_steps` steps. The sizes come from runs that compared bits per byte of held-out text:
/// docs/performance.md.
OwnSizes own_sizes(double text_bytes, double reference_steps);

}  // namespace gradus

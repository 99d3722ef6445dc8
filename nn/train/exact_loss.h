/// @file
/// The loss of a GPT on a text, each token of which is predicted once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "nn/models/gpt.h"
#include "nn/train/task.h"

namespace gradus {

/// @addtogroup train
/// @{

/// The exact mean loss over consecutive, non-overlapping blocks (see Blocks).
struct ExactLoss {
  std::int64_t tokens = 0;  ///< predictions made
  double loss = 0;          ///< mean, in nats
};
/// Evaluates `batch_size` blocks of n_positions tokens at a time: exact_batch_loss() of all.
/// @throws std::invalid_argument if there are fewer than two tokens.
ExactLoss exact_loss(const Gpt& model, std::span<const std::int32_t> tokens, int batch_size,
                     const std::function<void(double share_done)>& progress = {});
/// The number of those batches: full ones, a smaller one, and the shorter block at the end.
std::int64_t exact_batches(std::size_t tokens, Index n_positions, int batch_size);
/// The loss of batch `i` of them, without progress or checks of the text's length.
MeanLoss exact_batch_loss(const Gpt& model, std::span<const std::int32_t> tokens, int batch_size,
                          std::int64_t i);

/// @}

}  // namespace gradus

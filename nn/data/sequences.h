/// @file
/// Reversal: the toy task on which attention shows where it looks.
#pragma once

#include "autograd/index_tensor.h"
#include "autograd/random.h"

namespace gradus {

/// @addtogroup data
/// @{

/// Sequences and what should become of them.
struct SequenceBatch {
  IndexTensor sources;  ///< [B, S]
  IndexTensor targets;  ///< [B, T]
};

/// The size of a batch, and which tokens stand in it.
struct SequenceBatchOptions {
  Index rows = 32;     ///< B, the sequences of a batch
  Index length = 10;   ///< S = T
  Index symbols = 10;  ///< how many different tokens
  Index first = 0;     ///< the lowest; those below are for padding, start and end
};

/// Random tokens, and as targets the same ones from the last to the first. Token (b, t) is a
/// function of the key, b and t: rows do not depend on B. Held-out batches are those of other keys.
///
///     auto [sources, targets] = reversal_batch({.rows = 2, .length = 4}, {seed, step});
///     // with seed 1 and step 0 [[8, 7, 8, 6], [5, 9, 0, 0]] and [[6, 8, 7, 8], [0, 0, 9, 5]]
///
/// @throws std::invalid_argument unless rows, length and symbols are positive, first is not
///   negative and first + symbols at most 2^31 - 1
SequenceBatch reversal_batch(const SequenceBatchOptions& options, const RandomKey& key);

/// @}

}  // namespace gradus

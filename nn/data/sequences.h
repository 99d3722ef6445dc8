/// @file
/// Reversal and copying: toy tasks that show where attention goes.
#pragma once

#include "autograd/index_tensor.h"
#include "autograd/more/random.h"

namespace gradus {

/// @addtogroup data
/// @{

/// Sequences and their targets.
struct SequenceBatch {
  IndexTensor sources;  ///< [B, S]
  IndexTensor targets;  ///< [B, T]
};

/// The size of a batch, and its tokens.
struct SequenceBatchOptions {
  Index rows = 32;     ///< B, the sequences of a batch
  Index length = 10;   ///< S = T
  Index symbols = 10;  ///< how many different tokens
  Index first = 0;     ///< the lowest; smaller ones are for padding, start and end
};

/// Random tokens, and as targets the same ones reversed. Token (b, t) is a function of the key, b
/// and t: rows do not depend on B. For held-out batches, use other keys.
/// @code
/// const auto [sources, targets] = reversal_batch({.rows = 2, .length = 4}, {1, 0});
/// sources;  // [[8, 7, 8, 6], [5, 9, 0, 0]]
/// targets;  // [[6, 8, 7, 8], [0, 0, 9, 5]]
/// @endcode
/// @throws std::invalid_argument unless rows, length and symbols are positive, first is not
///   negative and first + symbols at most \f$ 2^{31} - 1 \f$
SequenceBatch reversal_batch(const SequenceBatchOptions& options, const RandomKey& key);

/// @}

}  // namespace gradus

/// @file
/// Examples for next-token prediction from a sequence of tokens: drawn at random for training, or
/// consecutive for evaluation. N tokens give N - 1 predictions: the first token is never a target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "autograd/kernels/philox.h"

namespace gradus {

/// @addtogroup data
/// @{

/// Rows of tokens and, at each position, the next token. Both are B x T, row-major.
struct Batch {
  int batch_size = 0;                 ///< B, the number of rows
  int block_size = 0;                 ///< T, the number of tokens in a row
  std::vector<std::int32_t> inputs;   ///< row b is inputs[b T] to inputs[b T + T - 1]
  std::vector<std::int32_t> targets;  ///< targets[b T + t] directly follows inputs[b T + t]
};

/// Fills `batch` with B rows of T tokens that begin at uniformly random positions. The position of
/// a row depends only on the key and the row's number: a resumed step draws the same batch, and row
/// b does not depend on B. Positions may repeat and rows may overlap, as in nanoGPT. Allocates
/// nothing if the batch already has its size.
/// @code
/// Batch batch;
/// random_batch(std::vector{3, 1, 4, 1, 5, 9}, 2, 3, RandomKey{1, 0, 0}, batch);
/// batch.inputs;   // [4, 1, 5, 4, 1, 5]
/// batch.targets;  // [1, 5, 9, 1, 5, 9]
/// @endcode
/// @throws std::invalid_argument unless B, T >= 1 and there are more than T tokens
void random_batch(std::span<const std::int32_t> tokens, int batch_size, int block_size,
                  const RandomKey& key, Batch& batch);

/// Consecutive, non-overlapping number of blocks of T tokens, for an exact mean loss without random
/// draws. Together they predict each token except the first exactly once. The last block may be
/// shorter. Blocks are adjacent in memory, so that full blocks form a B x T batch without a copy.
/// @code
/// const std::vector tokens = {3, 1, 4, 1, 5, 9};
/// const Blocks blocks(tokens, 2);
/// blocks.full();              // 2
/// blocks.rows(0, 2).inputs;   // [3, 1, 4, 1]
/// blocks.rows(0, 2).targets;  // [1, 4, 1, 5]
/// blocks.rest().targets;      // [9]
/// @endcode
class Blocks {
 public:
  /// Adjacent blocks and, at each position, the next token.
  struct Rows {
    std::span<const std::int32_t> inputs;   ///< a view of the given tokens
    std::span<const std::int32_t> targets;  ///< the view that starts one token later
  };

  /// Splits `tokens` into blocks of T = `block_size`. The tokens must outlive the blocks. Fewer
  /// than two tokens give no block.
  /// @throws std::invalid_argument unless block_size >= 1
  Blocks(std::span<const std::int32_t> tokens, int block_size);

  std::size_t predictions() const { return predictions_; }         ///< N - 1, or 0
  std::size_t full() const { return predictions_ / block_size_; }  ///< blocks of T tokens

  /// Returns full blocks `first` to `first + count - 1`.
  /// @throws std::invalid_argument if there are fewer full blocks
  Rows rows(std::size_t first, std::size_t count) const;

  /// Returns the shorter block after the full ones: (N - 1) mod T tokens, which is 0 tokens if T
  /// divides N - 1.
  Rows rest() const;

 private:
  Rows slice(std::size_t begin, std::size_t count) const;

  std::span<const std::int32_t> tokens_;
  std::size_t block_size_;
  std::size_t predictions_;
};

/// @}

}  // namespace gradus

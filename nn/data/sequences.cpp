#include "nn/data/sequences.h"

#include <algorithm>
#include <limits>

#include "autograd/check.h"

namespace gradus {
using namespace detail;

SequenceBatch reversal_batch(const SequenceBatchOptions& options, const RandomKey& key) {
  const auto& [rows, length, symbols, first] = options;
  check(rows >= 1 && length >= 1 && symbols >= 1,
        "sequences: rows, length and symbols must be positive, got ", rows, ", ", length, " and ",
        symbols);
  constexpr Index kMost = std::numeric_limits<std::int32_t>::max();
  check(first >= 0 && symbols <= kMost && first <= kMost - symbols,
        "sequences: tokens must be in [0, 2^31 - 1), got ", symbols, " from ", first);
  IndexTensor tokens({rows, length});
  for (Index i = 0; i < tokens.size(); ++i) {
    tokens.mutable_data()[i] = static_cast<std::int32_t>(first + uniform_index(key, i, symbols));
  }
  SequenceBatch batch{tokens, IndexTensor({rows, length}, tokens.values())};
  for (Index row = 0; row < rows; ++row) {
    std::int32_t* begin = batch.targets.mutable_data() + row * length;
    std::reverse(begin, begin + length);
  }
  return batch;
}

}  // namespace gradus

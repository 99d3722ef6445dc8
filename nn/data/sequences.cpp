#include "nn/data/sequences.h"

#include <algorithm>
#include <limits>

#include "autograd/check.h"

namespace gradus {

SequenceBatch copying_batch(const SequenceOptions& options, const RandomKey& key) {
  const auto& [rows, length, symbols, first] = options;
  check(rows >= 1 && length >= 1 && symbols >= 1,
        "sequences: rows, length and symbols must be positive, got ", rows, ", ", length, " and ",
        symbols);
  constexpr Index kMost = std::numeric_limits<std::int32_t>::max();
  check(first >= 0 && symbols <= kMost && first <= kMost - symbols,
        "sequences: tokens must be in [0, 2^31 - 1), got ", symbols, " from ", first);
  IndexTensor tokens({rows, length});
  for (Index i = 0; i < tokens.size(); ++i) {
    tokens.data()[i] = static_cast<std::int32_t>(first + uniform_index(key, i, symbols));
  }
  return {tokens, IndexTensor({rows, length}, tokens.values())};
}

SequenceBatch reversal_batch(const SequenceOptions& options, const RandomKey& key) {
  SequenceBatch batch = copying_batch(options, key);
  for (Index row = 0; row < options.rows; ++row) {
    std::int32_t* begin = batch.targets.data() + row * options.length;
    std::reverse(begin, begin + options.length);
  }
  return batch;
}

}  // namespace gradus

#include "nn/data/batches.h"

#include <algorithm>
#include <limits>

#include "autograd/check.h"

namespace gradus {
using namespace detail;
namespace {

/// Returns a number below `count` from 64 random bits r: floor(r count / 2^64), computed in halves
/// because the product has 96 bits. The probabilities of two starts differ by at most one part in
/// 2^32.
std::size_t below(std::uint64_t count, std::uint64_t high, std::uint64_t low) {
  return static_cast<std::size_t>((high * count + (low * count >> 32)) >> 32);
}

}  // namespace

void random_batch(std::span<const std::int32_t> tokens, int batch_size, int block_size,
                  const RandomKey& key, Batch& batch) {
  check(batch_size >= 1, "random_batch: batch_size must be at least 1, got ", batch_size);
  check(block_size >= 1, "random_batch: block_size must be at least 1, got ", block_size);
  const auto rows = static_cast<std::size_t>(batch_size);
  const auto block = static_cast<std::size_t>(block_size);
  check(tokens.size() > block, "random_batch: needs at least ", block + 1,
        " tokens for a block of ", block_size, " and the next token, got ", tokens.size());
  const std::size_t starts = tokens.size() - block;
  check(starts <= std::numeric_limits<std::uint32_t>::max(),
        "random_batch: too many tokens to draw from, got ", tokens.size());
  batch.batch_size = batch_size;
  batch.block_size = block_size;
  batch.inputs.resize(rows * block);
  batch.targets.resize(rows * block);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto words = random_block(key, row);
    const std::size_t start = below(starts, words[0], words[1]);
    const auto place = static_cast<std::ptrdiff_t>(row * block);
    std::ranges::copy(tokens.subspan(start, block), batch.inputs.begin() + place);
    std::ranges::copy(tokens.subspan(start + 1, block), batch.targets.begin() + place);
  }
}

Blocks::Blocks(std::span<const std::int32_t> tokens, int block_size)
    : tokens_(tokens),
      block_size_(static_cast<std::size_t>(block_size)),
      predictions_(tokens.empty() ? 0 : tokens.size() - 1) {
  check(block_size >= 1, "blocks: block_size must be at least 1, got ", block_size);
}

Blocks::Rows Blocks::rows(std::size_t first, std::size_t count) const {
  check(first <= full() && count <= full() - first, "blocks: must be in [0, ", full(), "), got [",
        first, ", ", first + count, ")");
  return slice(first * block_size_, count * block_size_);
}

Blocks::Rows Blocks::rest() const {
  const std::size_t begin = full() * block_size_;
  return slice(begin, predictions_ - begin);
}

Blocks::Rows Blocks::slice(std::size_t begin, std::size_t count) const {
  if (count == 0) return {};
  return {tokens_.subspan(begin, count), tokens_.subspan(begin + 1, count)};
}

}  // namespace gradus

#include "nn/text/pair_counts.h"

#include <algorithm>
#include <limits>

#include "autograd/check.h"

namespace gradus {
using namespace detail;
namespace {

constexpr std::int32_t kNowhere = -1;

std::uint64_t pair_key(std::int32_t left, std::int32_t right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

}  // namespace

PairCounts::PairCounts(const std::vector<CountedWord>& words) {
  std::size_t size = 0;
  for (const CountedWord& word : words) size += word.symbols.size();
  check(size < std::numeric_limits<std::int32_t>::max(), "pair counts: ", size,
        " symbols in distinct words are more than can be numbered (learn from a part of the text)");
  symbols_.reserve(size);
  for (const CountedWord& word : words) {
    const auto begin = static_cast<std::int32_t>(symbols_.size());
    symbols_.insert(symbols_.end(), word.symbols.begin(), word.symbols.end());
    const auto end = static_cast<std::int32_t>(symbols_.size());
    for (std::int32_t place = begin; place < end; ++place) {
      previous_.push_back(place == begin ? kNowhere : place - 1);
      next_.push_back(place + 1 == end ? kNowhere : place + 1);
      word_.push_back(static_cast<std::int32_t>(word_counts_.size()));
    }
    word_counts_.push_back(word.count);
  }
  for (std::int32_t place = 0; place < static_cast<std::int32_t>(size); ++place) add(place);
  for (const auto& [key, found] : pairs_) candidates_.push({found.count, key});
}

PairCounts::Key PairCounts::key_at(std::int32_t place) const {
  const auto at = static_cast<std::size_t>(place);
  return pair_key(symbols_[at], symbols_[static_cast<std::size_t>(next_[at])]);
}

void PairCounts::add(std::int32_t place) {
  const auto at = static_cast<std::size_t>(place);
  if (place == kNowhere || next_[at] == kNowhere) return;
  Occurrences& found = pairs_[key_at(place)];
  found.count += word_counts_[static_cast<std::size_t>(word_[at])];
  found.positions.push_back(place);
}

void PairCounts::remove(std::int32_t place) {
  const auto at = static_cast<std::size_t>(place);
  if (place == kNowhere || next_[at] == kNowhere) return;
  // The position stays in the list: merge() checks whether the symbols there are still the pair.
  pairs_[key_at(place)].count -= word_counts_[static_cast<std::size_t>(word_[at])];
}

PairCounts::Pair PairCounts::most_frequent() {
  while (!candidates_.empty()) {
    const auto [count, key] = candidates_.top();
    const auto found = pairs_.find(key);
    const std::int64_t now = found == pairs_.end() ? 0 : found->second.count;
    if (now == count && now > 0) {
      return {static_cast<std::int32_t>(key >> 32), static_cast<std::int32_t>(key), count};
    }
    candidates_.pop();
    // A pair that became rarer is queued again. A pair that became more frequent is queued already.
    if (now > 0 && now < count) candidates_.push({now, key});
  }
  return {0, 0, 0};
}

void PairCounts::drop(std::int32_t left, std::int32_t right) {
  pairs_.erase(pair_key(left, right));
}

void PairCounts::merge(std::int32_t left, std::int32_t right, std::int32_t result) {
  const Key merged = pair_key(left, right);
  std::vector<std::int32_t> positions = std::move(pairs_[merged].positions);
  std::ranges::sort(positions);
  std::vector<Key> grown;
  for (const std::int32_t place : positions) {
    const auto at = static_cast<std::size_t>(place);
    const std::int32_t second = next_[at];
    if (symbols_[at] != left || second == kNowhere ||
        symbols_[static_cast<std::size_t>(second)] != right) {
      continue;
    }
    const std::int32_t before = previous_[at];
    remove(before);
    remove(place);
    remove(second);
    const std::int32_t after = next_[static_cast<std::size_t>(second)];
    symbols_[at] = result;
    symbols_[static_cast<std::size_t>(second)] = kNowhere;
    next_[at] = after;
    next_[static_cast<std::size_t>(second)] = kNowhere;
    if (after != kNowhere) previous_[static_cast<std::size_t>(after)] = place;
    add(before);
    add(place);
    if (before != kNowhere) grown.push_back(key_at(before));
    if (after != kNowhere) grown.push_back(key_at(place));
  }
  pairs_.erase(merged);
  std::ranges::sort(grown);
  grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
  for (const Key key : grown) candidates_.push({pairs_[key].count, key});
}

}  // namespace gradus

#include "nn/text/merge_rules.h"

#include <functional>
#include <limits>
#include <queue>

#include "autograd/check.h"

namespace gradus {
namespace {

constexpr std::uint32_t kNoPlace = std::numeric_limits<std::uint32_t>::max();

std::uint64_t key_of(std::int32_t left, std::int32_t right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

}  // namespace

bool MergeRules::add(std::int32_t left, std::int32_t right, std::int32_t result) {
  const Rule rule{static_cast<std::uint32_t>(rules_.size()), result};
  return rules_.emplace(key_of(left, right), rule).second;
}

const MergeRules::Rule* MergeRules::find(std::int32_t left, std::int32_t right) const {
  const auto found = rules_.find(key_of(left, right));
  return found == rules_.end() ? nullptr : &found->second;
}

std::int32_t MergeRules::result(std::int32_t left, std::int32_t right) const {
  return rules_.at(key_of(left, right)).result;
}

/// The tokens are a linked list. The queue holds the rank and position of each pair that can be
/// merged, and also outdated entries, whose rank is no longer the rank of the pair at their
/// position.
std::vector<std::int32_t> MergeRules::merged(std::vector<std::int32_t> tokens) const {
  detail::check(tokens.size() < kNoPlace, "bpe: a piece of text must have fewer than ", kNoPlace,
                " bytes, got ", tokens.size());
  const auto size = static_cast<std::uint32_t>(tokens.size());
  std::vector<std::uint32_t> next(size), previous(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    next[i] = i + 1 == size ? kNoPlace : i + 1;
    previous[i] = i == 0 ? kNoPlace : i - 1;
  }
  const auto rule_at = [&](std::uint32_t i) -> const Rule* {
    return i == kNoPlace || next[i] == kNoPlace ? nullptr : find(tokens[i], tokens[next[i]]);
  };
  using Candidate = std::uint64_t;  // the rank in the upper half, the position in the lower
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto propose = [&](std::uint32_t i) {
    if (const Rule* found = rule_at(i)) queue.push(Candidate{found->rank} << 32 | i);
  };
  for (std::uint32_t i = 0; i < size; ++i) propose(i);
  while (!queue.empty()) {
    const auto rank = static_cast<std::uint32_t>(queue.top() >> 32);
    const auto i = static_cast<std::uint32_t>(queue.top());
    queue.pop();
    const Rule* found = rule_at(i);
    if (!found || found->rank != rank) continue;
    const std::uint32_t second = next[i];
    tokens[i] = found->result;
    next[i] = next[second];
    next[second] = kNoPlace;
    if (next[i] != kNoPlace) previous[next[i]] = i;
    propose(previous[i]);
    propose(i);
  }
  std::vector<std::int32_t> rest;
  for (std::uint32_t i = 0; i < size; i = next[i]) rest.push_back(tokens[i]);
  return rest;
}

}  // namespace gradus

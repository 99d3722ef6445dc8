/// @file
/// The merges of byte-pair encoding: which adjacent tokens become one, and in which order.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace gradus {

/// @addtogroup text
/// @{

/// Merges of pairs of tokens, highest priority first (Sennrich and others, 2016).
/// @code
/// MergeRules rules;
/// rules.add(1, 2, 3);
/// rules.add(3, 3, 4);
/// rules.merged({1, 2, 1, 2, 1})[0];  // 4
/// rules.size();                      // 2
/// @endcode
class MergeRules {
 public:
  /// Adds a merge with lower priority than all earlier ones. Returns false, and adds nothing, if
  /// the pair has a merge.
  bool add(std::int32_t left, std::int32_t right, std::int32_t result);

  /// The number of merges.
  std::size_t size() const { return rules_.size(); }

  /// Returns the token that a pair becomes.
  /// @throws std::out_of_range if the pair has no merge
  std::int32_t result(std::int32_t left, std::int32_t right) const;

  /// Merges the adjacent pair with the merge of highest priority, leftmost first, until no adjacent
  /// pair has a merge. Takes O(n log n) time for n tokens.
  /// @throws std::invalid_argument for 2^32 tokens or more
  std::vector<std::int32_t> merged(std::vector<std::int32_t> tokens) const;

 private:
  struct Rule {
    std::uint32_t rank;
    std::int32_t result;
  };
  const Rule* find(std::int32_t left, std::int32_t right) const;

  std::unordered_map<std::uint64_t, Rule> rules_;
};

/// @}

}  // namespace gradus

/// @file
/// Counts of adjacent symbols in words, updated when pairs are merged. Learning byte-pair encoding
/// and learning WordPiece both use them.
#pragma once

#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

namespace gradus {

/// @addtogroup text
/// @{

/// A word as a sequence of symbols, and its number of occurrences.
struct CountedWord {
  std::vector<std::int32_t> symbols;  ///< the symbols in order
  std::int64_t count;                 ///< occurrences of the word
};

/// Counts of how often two symbols are adjacent, over all words. Three equal symbols count as two
/// pairs. A merge visits only the positions of its pair, so the time for learning is proportional
/// to the number of positions, not to merges times words.
/// @code
/// const std::vector<CountedWord> words = {{{1, 2, 1, 2, 3}, 4}};  // four times
/// PairCounts pairs(words);
/// pairs.most_frequent().count;  // 8
/// pairs.merge(1, 2, 9);
/// pairs.most_frequent().right;  // 3
/// @endcode
class PairCounts {
 public:
  /// Counts all pairs in these words.
  explicit PairCounts(const std::vector<CountedWord>& words);

  /// Two adjacent symbols, and their number of occurrences.
  struct Pair {
    std::int32_t left;   ///< the first symbol
    std::int32_t right;  ///< the second symbol
    std::int64_t count;  ///< occurrences over all words
  };

  /// Returns the most frequent pair; of equally frequent ones the smallest (left, right). The count
  /// is 0 if no pair is left.
  Pair most_frequent();

  /// Removes this pair, so that most_frequent() never returns it again and it is not merged.
  void drop(std::int32_t left, std::int32_t right);

  /// Replaces left and right with `result` wherever they are adjacent. Goes through each word from
  /// its start, since overlapping pairs cannot all be merged.
  void merge(std::int32_t left, std::int32_t right, std::int32_t result);

 private:
  using Key = std::uint64_t;  // left symbol in the upper half, right one in the lower
  struct Occurrences {
    std::int64_t count = 0;
    std::vector<std::int32_t> positions;  // positions of left; some may be outdated
  };
  struct Candidate {
    std::int64_t count;
    Key key;
    bool operator<(const Candidate& other) const {
      return count != other.count ? count < other.count : key > other.key;
    }
  };

  Key key_at(std::int32_t place) const;
  void add(std::int32_t place);
  void remove(std::int32_t place);

  // All words as linked lists; -1 ends each.
  std::vector<std::int32_t> symbols_, next_, previous_, word_;
  std::vector<std::int64_t> word_counts_;
  std::unordered_map<Key, Occurrences> pairs_;
  std::priority_queue<Candidate> candidates_;  // at least one per pair; some are outdated
};

/// @}

}  // namespace gradus

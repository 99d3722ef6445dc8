/// @file
/// Counts of neighbours in words, kept true while pairs of them are merged: what both byte-pair
/// encoding and WordPiece learn from.
#pragma once

#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

namespace gradus {

/// @addtogroup text
/// @{

/// A word as a sequence of symbols, and how often it occurs.
struct CountedWord {
  std::vector<std::int32_t> symbols;  ///< in order
  std::int64_t count;                 ///< of the word
};

/// How often each two symbols stand side by side, in all words together. Three equal symbols are
/// two such pairs. A merge touches only the places where its pair stands, so that learning takes
/// time in the number of places, not of merges times words.
class PairCounts {
 public:
  /// Counts all pairs of these words.
  explicit PairCounts(const std::vector<CountedWord>& words);

  /// Two neighbours, and how often they stand side by side.
  struct Pair {
    std::int32_t left;   ///< the first symbol
    std::int32_t right;  ///< the second
    std::int64_t count;  ///< in all words together
  };

  /// The most frequent pair, the one with the smallest (left, right) of several; the count is 0 if
  /// there is no pair left.
  Pair most_frequent();

  /// Leaves this pair out from here on: the two stay apart wherever they stand.
  void drop(std::int32_t left, std::int32_t right);

  /// Puts `result` in place of left and right wherever they stand side by side, in each word from
  /// its beginning on, as pairs that overlap cannot all be merged.
  void merge(std::int32_t left, std::int32_t right, std::int32_t result);

 private:
  using Key = std::uint64_t;  // left in the upper half, right in the lower
  struct Occurrences {
    std::int64_t count = 0;
    std::vector<std::int32_t> places;  // of left; some may be outdated
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

  // The words one after the other, as linked lists: -1 ends each.
  std::vector<std::int32_t> symbols_, next_, previous_, word_;
  std::vector<std::int64_t> word_counts_;
  std::unordered_map<Key, Occurrences> pairs_;
  std::priority_queue<Candidate> candidates_;  // at least one for each pair; some are outdated
};

/// @}

}  // namespace gradus

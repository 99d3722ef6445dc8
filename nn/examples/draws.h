/// @file
/// Keyed random choices for generated data. Item i of a data set depends only on the seed, the set
/// and i, so that a seed gives the same data on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "autograd/check.h"
#include "autograd/ops/random.h"

namespace gradus {

/// @addtogroup examples
/// @{

/// The generated data sets; the value is the RandomKey::step of a set. No training run has this
/// many steps, and kDivisionStep (split.h) is a different number.
enum class DataSet : std::uint32_t {
  kTranslation = 0xffff0000,
  kSentiment,
  kTopics,
  kTweets,
  kFrench,
  kSummaries,
  kDigits,
  kPreferences = 0xffff0008,  // kDivisionStep (split.h) is before it
};

/// Returns the key for the random numbers of one item.
inline RandomKey data_key(std::uint64_t seed, DataSet set, std::uint32_t item) {
  return {seed, static_cast<std::uint32_t>(set), item};
}

/// The random choices for one item, in order. Draw at most once per expression: the compiler
/// chooses the order of evaluation within an expression, and the data must not depend on this
/// order.
/// @code
/// Draws draws(data_key(1, DataSet::kTopics, 7));
/// draws.pick(std::vector<std::string>{"Ann", "Ben", "Cleo"});  // "Cleo"
/// draws.below(100);                                             // 74
/// @endcode
class Draws {
 public:
  /// Begins with the first choice of this key.
  explicit Draws(const RandomKey& key) : key_(key) {}

  /// Returns a uniform number in [0, n).
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(uniform_index(key_, next_++, static_cast<Index>(n)));
  }

  /// Returns true with a probability of `percent` per cent.
  bool chance(std::size_t percent) { return below(100) < percent; }

  /// Returns an element of a list, each with equal probability.
  template <class List>
  const auto& pick(const List& list) {
    return list[below(list.size())];
  }

 private:
  RandomKey key_;
  Index next_ = 0;
};

/// Makes `count` items with different texts. Calls make(draw, place) with draw = 0, 1, 2, ... and
/// the index of the next item, and leaves out duplicates.
/// @throws std::invalid_argument if 50 draws per item do not give `count` items
template <class Item, class Make>
std::vector<Item> draw_distinct(std::string_view op, std::size_t count, std::string Item::*text,
                                const Make& make) {
  std::vector<Item> items;
  std::unordered_set<std::string> seen;
  for (std::uint32_t draw = 0; items.size() < count; ++draw) {
    detail::check(draw / 50 <= count, op, ": needs ", count, " different items, found ",
                  items.size(), " (ask for fewer)");
    Item item = make(draw, items.size());
    if (seen.insert(item.*text).second) items.push_back(std::move(item));
  }
  return items;
}

/// Adds the English indefinite article that fits the first letter: "an apple", "a car".
inline std::string with_article(const std::string& words) {
  const bool vowel = std::string_view("aeiou").find(words[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + words;
}

/// Returns the sentence with a capital first letter, which must be ASCII.
inline std::string capitalised(std::string sentence) {
  if (sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = static_cast<char>(sentence[0] - 32);
  return sentence;
}

/// @}

}  // namespace gradus

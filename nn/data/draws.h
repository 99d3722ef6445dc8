/// @file
/// Keyed choices for generated data: item i of a set is a function of seed, set and i alone, so
/// that a seed names the same data on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "autograd/check.h"
#include "autograd/random.h"

namespace gradus {

/// @addtogroup data
/// @{

/// The sets that are drawn, as RandomKey::step; training never counts so many steps.
enum class DataSet : std::uint32_t {
  kTranslation = 0xffff0000,
  kSentiment,
  kTopics,
  kTweets,
  kFrench,
  kSummaries,
  kDigits,
  kDivision,
};

/// The key of one item's numbers.
inline RandomKey data_key(std::uint64_t seed, DataSet set, std::uint32_t item) {
  return {seed, static_cast<std::uint32_t>(set), item};
}

/// The choices that make up one item, one after the other. Draw at most once in an expression: in
/// which order the parts of one are worked out is up to the compiler, and the data must not be.
///
///     Draws draws(data_key(seed, DataSet::kTopics, 7));
///     const std::string& name = draws.pick(names);
///     const std::string sentence = name + " " + draws.pick(verbs);
class Draws {
 public:
  /// The choices of this key, from the first.
  explicit Draws(const RandomKey& key) : key_(key) {}

  /// A number in [0, n), each as likely as any other.
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(uniform_index(key_, next_++, static_cast<Index>(n)));
  }

  /// True `percent` times in a hundred.
  bool chance(std::size_t percent) { return below(100) < percent; }

  /// One of a list's entries, each as likely as any other.
  template <class List>
  const auto& pick(const List& list) {
    return list[below(list.size())];
  }

 private:
  RandomKey key_;
  Index next_ = 0;
};

/// `count` items of which no two have the same text: make(draw, place) is called with draw = 0, 1,
/// 2, ... and the place that the item will take, and what was there already is left out.
/// @throws std::invalid_argument if 50 draws for each item do not yield that many
template <class Item, class Make>
std::vector<Item> draw_distinct(std::string_view op, std::size_t count, std::string Item::*text,
                                const Make& make) {
  std::vector<Item> items;
  std::unordered_set<std::string> seen;
  for (std::uint32_t draw = 0; items.size() < count; ++draw) {
    check(draw / 50 <= count, op, ": there are too few different items for ", count, ", found ",
          items.size(), " (ask for fewer)");
    Item item = make(draw, items.size());
    if (seen.insert(item.*text).second) items.push_back(std::move(item));
  }
  return items;
}

/// "an apple", "a car": English's indefinite article, by the first letter of the word that follows.
inline std::string with_article(const std::string& words) {
  const bool vowel = std::string_view("aeiou").find(words[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + words;
}

/// The sentence with a capital at its start, which is a letter of ASCII.
inline std::string capitalised(std::string sentence) {
  if (sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = static_cast<char>(sentence[0] - 32);
  return sentence;
}

/// @}

}  // namespace gradus

/// @file
/// Chapter 18's sentences: short reviews of a meal or a film, each with a label, and the words that
/// they are made of. A review is of one of three kinds. In a plain one, all qualities say the same:
/// "the soup was fresh and tasty". In a contrast they do not, and the part after "but", or the part
/// before "although", says what is meant: "the soup was stale but the wine was lovely". In a
/// shifting one, the qualities praise one topic and blame the other: "the wine was sharp", "the
/// plot was sharp". A second sentence is the writer's verdict: "we loved it".
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>

#if __has_include("pocket/text.h")
#include "pocket/text.h"  // of the program: with --mine, the reader's
#else
#include "tutorials/pocket/text.h"
#endif

namespace reviews {

using namespace pocket;
using Words = std::vector<std::string>;

/// The source of a review's label: its words alone, their order, or the topic, too.
enum Kind { kPlain, kContrast, kShifting };

struct Review {
  std::string text;    ///< words with a space between
  std::int32_t label;  ///< 0 negative, 1 positive
  Kind kind = kPlain;
  std::string verdict = {};  ///< the second sentence
};

inline const std::array<Words, 2> kNouns = {Words{"soup", "bread", "wine", "cake", "salad"},
                                            Words{"plot", "acting", "music", "ending", "script"}};
inline const std::array<std::array<Words, 2>, 2> kQualities = {{
    {Words{"bad", "awful", "stale", "burnt"}, Words{"good", "lovely", "fresh", "tasty"}},
    {Words{"bad", "awful", "dull", "clumsy"}, Words{"good", "lovely", "witty", "clever"}},
}};  // of food, then of films; blame, then praise
inline const std::array<Words, 2> kShiftingQualities = {
    Words{"raw", "sharp", "strange"},  // blame of food, and praise of films
    Words{"light", "mild", "soft"}};   // the other way round
inline const std::array<Words, 2> kVerdicts = {Words{"hated", "disliked"},
                                               Words{"loved", "enjoyed"}};

/// `draws.below(n)` chooses one of n.
Review draw_review(auto& draws, Kind kind) {
  const std::size_t label = draws.below(2), topic = draws.below(2);
  const auto one_of = [&](const Words& words) { return words[draws.below(words.size())]; };
  const auto other_than = [&](const std::string& word, Words words) {
    std::erase(words, word);
    return one_of(words);
  };
  const Words& nouns = kNouns[topic];
  const Words& words =
      kind == kShifting ? kShiftingQualities[topic != label] : kQualities[topic][label];
  const std::string noun = one_of(nouns), meant = one_of(words), one = "the " + noun + " was ";
  const std::string two = draws.below(2) ? "" : "the " + other_than(noun, nouns) + " was ";
  std::string text = one + meant;
  if (kind == kContrast) {
    const std::string opposite = one_of(kQualities[topic][1 - label]);
    text = draws.below(2) ? one + opposite + " but " + two + meant
                          : one + meant + " although " + two + opposite;
  } else if (draws.below(4)) {
    text += " and " + two + (two.empty() ? other_than(meant, words) : one_of(words));
  }
  return {text, std::int32_t(label), kind, "we " + one_of(kVerdicts[label]) + " it"};
}

// [asked]
/// Reviews that the page asks about.
inline const std::set<std::string> kAsked = {"the soup was stale but the bread was lovely",
                                             "the bread was lovely but the soup was stale",
                                             "the soup was stale but lovely",
                                             "the soup was stale although lovely",
                                             "the wine was sharp",
                                             "the plot was sharp"};
// [asked]

/// For draw_review(): all its choices one after another, as a counter goes through all numbers.
struct AllDraws {
  std::size_t below(std::size_t n) {
    if (place == choices.size()) choices.push_back(0), sizes.push_back(n);
    return choices[place++];
  }
  bool next() {
    for (place = 0; !choices.empty(); choices.pop_back(), sizes.pop_back()) {
      if (++choices.back() < sizes.back()) return true;
    }
    return false;
  }
  std::vector<std::size_t> choices, sizes;
  std::size_t place = 0;
};

/// Every review of this kind once: each text with its two verdicts, which are neighbours.
inline std::vector<Review> all_reviews(Kind kind) {
  std::map<std::string, Review> different;
  AllDraws draws;
  do {
    const Review review = draw_review(draws, kind);
    different[review.text + " " + review.verdict] = review;
  } while (draws.next());
  std::vector<Review> all;
  for (const auto& [words, review] : different) all.push_back(review);
  return all;
}

/// Plain, contrast, shifting in turn, each drawn from all texts of its kind: none twice, and none
/// of `without`. Ends when a kind has no text left.
inline std::vector<Review> shuffled_reviews(const std::set<std::string>& without,
                                            std::uint64_t seed) {
  std::array<std::vector<Review>, 3> left;
  for (const Kind kind : {kPlain, kContrast, kShifting}) {
    const std::vector<Review> all = all_reviews(kind);
    const RandomKey key{seed, static_cast<std::uint32_t>(kind)};
    for (std::size_t i = 0; i < all.size(); i += 2) {
      const auto verdict =
          static_cast<std::size_t>(uniform_index(key, std::ssize(all) + Index(i), 2));
      if (!without.contains(all[i].text)) left[kind].push_back(all[i + verdict]);
    }
    for (std::size_t i = left[kind].size(); i > 1; --i) {
      std::swap(left[kind][i - 1],
                left[kind][static_cast<std::size_t>(uniform_index(key, Index(i), Index(i)))]);
    }
  }
  std::vector<Review> reviews;
  for (std::size_t i = 0;; ++i) {
    for (const auto& kind : left) {
      if (i == kind.size()) return reviews;
      reviews.push_back(kind[i]);
    }
  }
}

/// The first tokens have no word.
enum Special : std::int32_t { kPad, kCls, kSep, kMask, kUnk };

/// Token i is name i: five special ones, then each different word, in the order of the alphabet.
struct WordTokenizer {
  static WordTokenizer learn(const std::vector<Review>& reviews) {
    std::set<std::string> different;
    for (const Review& review : reviews) {
      for (const std::string& word : words_of(review.text + " " + review.verdict)) {
        different.insert(word);
      }
    }
    WordTokenizer tokenizer;
    tokenizer.names.insert(tokenizer.names.end(), different.begin(), different.end());
    return tokenizer;
  }
  static Words words_of(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
  }
  std::int32_t token_of(const std::string& word) const {
    const auto found = std::find(names.begin(), names.end(), word);
    return found == names.end() ? std::int32_t{kUnk} : std::int32_t(found - names.begin());
  }
  Tokens encode(const std::string& text) const {
    Tokens tokens;
    for (const std::string& word : words_of(text)) tokens.push_back(token_of(word));
    return tokens;
  }
  /// All tokens that are words.
  Tokens words() const {
    Tokens tokens(names.size() - kUnk - 1);
    std::iota(tokens.begin(), tokens.end(), kUnk + 1);
    return tokens;
  }
  Words names = {"[PAD]", "[CLS]", "[SEP]", "[MASK]", "[UNK]"};
};

// [rows]
struct Rows {
  IndexTensor tokens, segments;  // [B, T]
};

/// [CLS] text [SEP], perhaps also verdict [SEP], and [PAD] up to the longest row.
inline Rows rows_of(const std::vector<Review>& reviews, const WordTokenizer& tokenizer,
                    bool verdicts) {
  std::vector<Tokens> rows, segments;
  std::size_t longest = 0;
  for (const Review& review : reviews) {
    Tokens row = tokenizer.encode("[CLS] " + review.text + " [SEP]");
    Tokens segment(row.size(), 0);
    if (verdicts) {
      for (const auto token : tokenizer.encode(review.verdict + " [SEP]")) row.push_back(token);
      segment.resize(row.size(), 1);
    }
    longest = std::max(longest, row.size());
    rows.push_back(row), segments.push_back(segment);
  }
  const auto joined = [&](std::vector<Tokens>& rows, std::int32_t filling) {
    Tokens all;
    for (Tokens& row : rows) {
      row.resize(longest, filling);
      all.insert(all.end(), row.begin(), row.end());
    }
    return IndexTensor({std::ssize(rows), Index(longest)}, all);
  };
  return {joined(rows, kPad), joined(segments, 0)};
}
// [rows]

inline IndexTensor labels_of(const std::vector<Review>& reviews) {
  Tokens labels;
  for (const Review& review : reviews) labels.push_back(review.label);
  return IndexTensor({std::ssize(labels)}, labels);
}

/// Random reviews, perhaps one twice.
inline std::vector<Review> some(const std::vector<Review>& reviews, Index count,
                                const RandomKey& key) {
  std::vector<Review> drawn;
  for (Index i = 0; i < count; ++i) {
    drawn.push_back(reviews[std::size_t(uniform_index(key, i, std::ssize(reviews)))]);
  }
  return drawn;
}

}  // namespace reviews

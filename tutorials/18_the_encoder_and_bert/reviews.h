/// @file
/// Chapter 18's sentences: short reviews of a meal or a film, each with a label, and the words that
/// they are made of. A review is of one of two kinds. In a plain one, all qualities say the same:
/// "the soup was fresh and tasty". In a contrast they do not, and the part after "but", or the part
/// before "although", says what is meant: "the soup was stale but the wine was lovely". A second
/// sentence is the writer's verdict: "we loved it".
#pragma once

#include <array>
#include <iterator>
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

struct Review {
  std::string text;          ///< words with a space between
  std::int32_t label;        ///< 0 negative, 1 positive
  bool contrast = false;     ///< its label depends on the order of its words
  std::string verdict = {};  ///< the second sentence
};

inline const std::array<Words, 2> kNouns = {
    Words{"soup", "bread", "fish", "wine", "cake", "salad"},
    Words{"plot", "acting", "music", "ending", "script", "story"}};

/// Of food, of films and of both; negative and positive.
inline const std::array<std::array<Words, 2>, 3> kQualities = {{
    {Words{"stale", "burnt", "soggy"}, Words{"fresh", "tasty", "crisp"}},
    {Words{"dull", "tedious", "clumsy"}, Words{"witty", "moving", "clever"}},
    {Words{"bad", "awful"}, Words{"good", "lovely"}},
}};

/// Draws one after another from a stream.
struct Draws {
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(uniform_index(key, next++, static_cast<Index>(n)));
  }
  const std::string& pick(const Words& words) { return words[below(words.size())]; }
  RandomKey key;
  Index next = 0;
};

inline const std::array<Words, 2> kVerdicts = {Words{"hated", "disliked"},
                                               Words{"loved", "enjoyed"}};

/// A share of the reviews are contrasts.
inline Review draw_review(Draws& draws, double contrasts) {
  const auto label = static_cast<std::int32_t>(draws.below(2));
  const std::size_t topic = draws.below(2);
  const auto quality = [&](std::int32_t said) {
    return draws.pick(kQualities[draws.below(2) == 0 ? topic : 2][static_cast<std::size_t>(said)]);
  };
  const Words& nouns = kNouns[topic];
  const std::size_t first = draws.below(nouns.size());
  const std::string& other = nouns[(first + 1 + draws.below(nouns.size() - 1)) % nouns.size()];
  const std::string one = "the " + nouns[first] + " was ";
  const std::string two = draws.below(2) == 0 ? "" : "the " + other + " was ";
  const std::string meant = quality(label), same = quality(label), opposite = quality(1 - label);
  Review review{one + meant, label, double(draws.below(100)) < 100 * contrasts, ""};
  const std::size_t kind = draws.below(4);
  if (review.contrast && kind < 2) {
    review.text = one + opposite + " but " + two + meant;
  } else if (review.contrast) {
    review.text = one + meant + " although " + two + opposite;
  } else if (kind > 0) {
    review.text = one + meant + " and " + two + same;
  }
  review.verdict = "we " + draws.pick(kVerdicts[std::size_t(label)]) + " it";
  return review;
}

/// `count` reviews whose text is not in `taken` yet; it is put there.
inline std::vector<Review> draw_reviews(Index count, const RandomKey& key, double contrasts,
                                        std::set<std::string>& taken) {
  std::vector<Review> drawn;
  Draws draws{key};
  while (std::ssize(drawn) < count) {
    const Review review = draw_review(draws, contrasts);
    if (taken.insert(review.text).second) drawn.push_back(review);
  }
  return drawn;
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

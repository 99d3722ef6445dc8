/// @file
/// The two tasks of chapter 10, and how heads' weights are measured.
#pragma once

#include <array>
#include <numeric>

#if __has_include("pocket/attention.h")
#include "pocket/attention.h"  // the reader's, with --mine
#else
#include "tutorials/pocket/attention.h"  // an exercise
#endif

namespace pocket {

/// "a loves b" with 24 names; token 24 is the verb. The answers are a and b.
struct Names {
  Names(Index count, const RandomKey& key) {
    Tokens words, names;
    for (Index i = 0; i < count; ++i) {
      const Index a = uniform_index(key, 2 * i, 24);
      const Index b = (a + 1 + uniform_index(key, 2 * i + 1, 23)) % 24;  // not a
      for (const Index token : {a, Index{24}, b}) words.push_back(static_cast<std::int32_t>(token));
      for (const Index token : {a, b}) names.push_back(static_cast<std::int32_t>(token));
    }
    sentences = IndexTensor({count, 3}, words), answers = IndexTensor({count, 2}, names);
  }
  IndexTensor sentences, answers;
};

/// The verb's mean weights on the three words, head after head.
inline std::vector<double> verb_weights(const auto& model, const Names& test) {
  const Tensor x = model.words(test.sentences) + model.positions.weight;
  const Tensor q = split_heads(model.attention.query(slice(x, 1, 1, 2)), model.attention.num_heads);
  const Tensor w = mean(attention_weights(q, model.attention.key_values(x).keys), 0);
  return {w.begin(), w.end()};
}

/// Twelve words of which the first six are in random order, without repetition.
inline std::array<std::int32_t, 12> shuffled(const RandomKey& key, Index row) {
  std::array<std::int32_t, 12> words;
  std::iota(words.begin(), words.end(), 0);
  for (Index k = 0; k < 6; ++k) {
    std::swap(words[k], words[k + uniform_index(key, 8 * row + k, 12 - k)]);
  }
  return words;
}

/// Rows of twelve words: three to six different ones, over and over. The target is the next word,
/// wherever the present one has occurred before.
struct Rounds {
  Rounds(Index count, const RandomKey& key) {
    Tokens inputs, next;
    for (Index i = 0; i < count; ++i) {
      const auto words = shuffled(key, i);
      const Index length = 3 + uniform_index(key, 8 * i + 6, 4);
      lengths.push_back(length);
      for (Index t = 0; t < 12; ++t) {
        inputs.push_back(words[t % length]);
        next.push_back(t < length ? -100 : words[(t + 1) % length]);  // -100: not asked
      }
    }
    tokens = IndexTensor({count, 12}, inputs), targets = IndexTensor({count, 12}, next);
  }
  IndexTensor tokens, targets;
  std::vector<Index> lengths;
};

/// Rows such as "a b c d e f d", which no round begins with: six different words, then the third,
/// fourth or fifth again. The successor is what followed it; overdue is the second word, because
/// in rounds of at most six words, no other may have been away for longer.
struct Broken {
  Broken(Index count, const RandomKey& key) {
    Tokens inputs, next, away;
    for (Index i = 0; i < count; ++i) {
      const auto words = shuffled(key, i);
      const Index again = 2 + i % 3;
      for (Index t = 0; t < 12; ++t) {
        inputs.push_back(words[t < 6 ? t : again]);
        next.push_back(t == 6 ? words[again + 1] : -100);  // only the seventh word is asked
        away.push_back(t == 6 ? words[1] : -100);
      }
    }
    tokens = IndexTensor({count, 12}, inputs);
    successor = IndexTensor({count, 12}, next), overdue = IndexTensor({count, 12}, away);
  }
  IndexTensor tokens, successor, overdue;
};

/// The mean weight that a head puts on the previous word, up to the first repeated word; and from
/// there on, on the successors: the words that followed the present word before.
inline std::pair<double, double> habits(const Tensor& weights, Index head, const Rounds& some) {
  double previous = 0, successor = 0, early = 0, late = 0;
  for (Index b = 0; b < weights.size(0); ++b) {
    const Index length = some.lengths[b];
    const Scalar* row = weights.data() + (b * 4 + head) * 12 * 12;
    for (Index t = 1; t < 12; ++t) {
      if (t <= length) previous += row[t * 12 + t - 1], ++early;
      if (t >= length) ++late;
      for (Index s = t + 1 - length; s > 0; s -= length) successor += row[t * 12 + s];
    }
  }
  return {previous / early, successor / late};
}

}  // namespace pocket

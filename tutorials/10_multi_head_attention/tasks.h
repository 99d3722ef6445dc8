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

// [Names]
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

/// The verb's weights, for each head: three in "Anna loves Bob", three in "Bob loves Anna" (names 0
/// and 1), and the mean distance between the weights of both names over all test sentences.
inline std::vector<double> verb_weights(const auto& model, const Names& test) {
  const Index heads = model.attention.num_heads;
  const auto weights = [&](const IndexTensor& sentences) {  // [B, H, 1, 3]
    const Tensor x = model.words(sentences) + model.positions.weight;
    const Tensor q = split_heads(model.attention.query(slice(x, 1, 1, 2)), heads);
    return attention_weights(q, model.attention.key_values(x).keys);
  };
  const Tensor two = weights(indices({{0, 24, 1}, {1, 24, 0}})), all = weights(test.sentences);
  std::vector<double> found;
  for (Index h = 0; h < heads; ++h) {
    for (const Index i : {h, heads + h}) {
      found.insert(found.end(), two.data() + 3 * i, two.data() + 3 * i + 3);
    }
    double apart = 0;
    for (Index i = h; i < all.size() / 3; i += heads) {
      apart += std::abs(all.data()[3 * i] - all.data()[3 * i + 2]);
    }
    found.push_back(apart / double(all.size(0)));
  }
  return found;
}
// [Names]

// [Rounds]
/// Twelve words of which the first six are in random order, without repetition.
inline std::array<std::int32_t, 12> shuffled(const RandomKey& key, Index row) {
  std::array<std::int32_t, 12> words;
  std::iota(words.begin(), words.end(), 0);
  for (Index k = 0; k < 6; ++k) {
    std::swap(words[k], words[k + uniform_index(key, 8 * row + k, 12 - k)]);
  }
  return words;
}

/// Texts of twelve words: three to six different ones, over and over. The target is the next word,
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
        next.push_back(t < length ? -100 : words[(t + 1) % length]);  // -100: ignored
      }
    }
    tokens = IndexTensor({count, 12}, inputs), targets = IndexTensor({count, 12}, next);
  }
  IndexTensor tokens, targets;
  std::vector<Index> lengths;
};
// [Rounds]

// [Broken]
/// Texts such as "a b c d e f d", which no round begins with: six different words, then the third,
/// fourth or fifth again. The successor is the word after its first copy. The second word is
/// overdue: in rounds of at most six words, no other word may have been absent for longer.
struct Broken {
  Broken(Index count, const RandomKey& key) {
    Tokens inputs, next, away;
    for (Index i = 0; i < count; ++i) {
      const auto words = shuffled(key, i);
      const Index again = 2 + i % 3;
      for (Index t = 0; t < 12; ++t) {
        inputs.push_back(words[t < 6 ? t : again]);
        next.push_back(t == 6 ? words[again + 1] : -100);  // only the seventh word counts
        away.push_back(t == 6 ? words[1] : -100);
      }
    }
    tokens = IndexTensor({count, 12}, inputs);
    successor = IndexTensor({count, 12}, next), overdue = IndexTensor({count, 12}, away);
  }
  IndexTensor tokens, successor, overdue;
};
// [Broken]

// [habits]
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
// [habits]

}  // namespace pocket

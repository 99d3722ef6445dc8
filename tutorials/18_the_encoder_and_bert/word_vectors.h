/// @file
/// Chapter 18: GloVe, and tests of its vectors.
#pragma once

#include "tutorials/18_the_encoder_and_bert/from_labels.h"

namespace reviews {

// [blame_and_praise]
/// The words that always blame, and the words that always praise.
inline std::array<std::set<std::string>, 2> blame_and_praise() {
  std::array<std::set<std::string>, 2> words;
  for (const auto& of_topic : kQualities) {
    for (const std::size_t label : {0, 1}) {
      words[label].insert(of_topic[label].begin(), of_topic[label].end());
    }
  }
  return words;
}
// [blame_and_praise]

// [glove]
/// How often two words are in one review, each time divided by their distance: [V, V].
inline Tensor cooccurrences(const std::vector<Review>& reviews, const WordTokenizer& tokenizer,
                            bool verdicts = true) {
  const Index vocab_size = std::ssize(tokenizer.names);
  Tensor counts({vocab_size, vocab_size});
  for (const Review& review : reviews) {
    const Tokens tokens = tokenizer.encode(review.text + (verdicts ? " " + review.verdict : ""));
    for (Index i = 0; i < std::ssize(tokens); ++i) {
      for (Index j = 0; j < std::ssize(tokens); ++j) {
        if (i == j) continue;
        counts.mutable_data()[tokens[i] * vocab_size + tokens[j]] += 1 / Scalar(std::abs(i - j));
      }
    }
  }
  return counts;
}

/// GloVe: w_i c_j + a_i + b_j should be ln X_ij. A pair weighs f(X) = min(1, (X / 100)^(3/4)).
inline Tensor glove(const Tensor& counts, Index channels, std::uint64_t seed) {
  const Index vocab_size = counts.size(0);
  KeySequence keys(seed);
  Tensor w = normal({vocab_size, channels}, keys.next(), 0, Scalar(0.1)).set_requires_grad();
  Tensor c = normal({vocab_size, channels}, keys.next(), 0, Scalar(0.1)).set_requires_grad();
  Tensor a = zeros({vocab_size, 1}).set_requires_grad(),
         b = zeros({vocab_size}).set_requires_grad();
  Tensor logs(counts.shape()), weights(counts.shape());
  for (Index i = 0; i < counts.size(); ++i) {
    const Scalar x = counts.data()[i];
    logs.mutable_data()[i] = std::log(std::max(x, Scalar(1e-3)));
    weights.mutable_data()[i] = std::min(Scalar(1), std::pow(x / 100, Scalar(0.75)));  // 0 for 0
  }
  AdamW optimiser({{"w", w}, {"c", c}, {"a", a}, {"b", b}}, {.weight_decay = 0});
  const Schedule schedule{.rate = 0.03, .floor = 0.003, .warmup = 10, .decay = 300};
  train(optimiser, {.steps = 300, .schedule = schedule}, [&](int) {
    const Tensor miss = matmul(w, c, {.b = true}) + a + b - logs;
    return mean(weights * miss * miss);
  });
  const Tensor vectors = (w + c).detach();
  return vectors - mean(vectors, 0, {.keepdim = true});  // removes what all words share
}
// [glove]

// [nearest]
/// The cosines between all vectors: [V, V].
inline Tensor cosines_of(const Tensor& vectors) {
  const Tensor lengths = sqrt(sum(vectors * vectors, -1, {.keepdim = true}) + Scalar(1e-9));
  return matmul(vectors / lengths, vectors / lengths, {.b = true});
}

/// The words whose vectors have the largest cosine with this word's.
inline void nearest(const Tensor& vectors, const Data& data, const std::string& word) {
  const Index i = data.tokenizer.token_of(word);
  Tensor cosines = slice(cosines_of(vectors), 0, i, i + 1);
  for (Index token = 0; token <= kUnk; ++token) cosines.mutable_data()[token] = -1;
  cosines.mutable_data()[i] = -1;
  std::printf("%-6s", word.c_str());
  print_best({cosines.begin(), cosines.end()}, data.tokenizer.names, 5);
}

/// Takes the words that always praise or blame, and counts those that agree with their nearest one.
inline int that_agree(const Tensor& vectors, const Data& data) {
  const Tensor cosines = cosines_of(vectors);
  const auto words = blame_and_praise();
  int agree = 0;
  for (const std::size_t label : {0, 1}) {
    for (const std::string& word : words[label]) {
      Scalar best[2] = {-1, -1};  // with words that do not agree, with words that do
      for (const std::size_t other : {0, 1}) {
        for (const std::string& neighbour : words[other]) {
          if (neighbour == word) continue;
          const Index at = data.tokenizer.token_of(word) * cosines.size(1);
          Scalar& most = best[label == other];
          most = std::max(most, cosines.data()[at + data.tokenizer.token_of(neighbour)]);
        }
      }
      agree += best[1] > best[0];
    }
  }
  return agree;
}
// [nearest]

inline void word_vectors(const Data& data) {
  const Part part("nearest");
  // [vectors]
  const Tensor vectors = glove(cooccurrences(data.texts, data.tokenizer), 32, 1);
  for (const auto word : {"soup", "fresh", "loved", "sharp"}) nearest(vectors, data, word);
  // [vectors]
}

// [beside]
const Words kPraiseOrBlame = {"bad",  "awful",  "stale", "burnt", "dull",  "clumsy",
                              "good", "lovely", "fresh", "tasty", "witty", "clever"};

/// In percent, for the drawing.
inline void print_cosines(const std::string& name, const Tensor& vectors, const Data& data) {
  const Tensor cosines = cosines_of(vectors);
  std::printf("%s\n", name.c_str());
  for (const std::string& word : kPraiseOrBlame) {
    std::printf("%-8s", word.c_str());
    for (const std::string& other : kPraiseOrBlame) {
      const Index at = data.tokenizer.token_of(word) * cosines.size(1);
      std::printf("%5.0f", 100 * double{cosines.data()[at + data.tokenizer.token_of(other)]});
    }
    std::printf("\n");
  }
}

/// GloVe at five seeds, on texts with their verdicts and without.
inline void agreement(const Data& data) {
  std::vector<Review> plain;
  std::ranges::copy_if(data.texts, std::back_inserter(plain),
                       [](const Review& review) { return review.kind == kPlain; });
  const std::pair<const char*, Tensor> counts[] = {
      {"with verdicts", cooccurrences(data.texts, data.tokenizer)},
      {"without verdicts", cooccurrences(data.texts, data.tokenizer, false)},
      {"  plain reviews alone", cooccurrences(plain, data.tokenizer, false)}};
  {
    const Part part("cosines");
    for (const auto& [name, x] : {counts[0], counts[1]}) print_cosines(name, glove(x, 32, 1), data);
  }
  const Part part("agree");
  std::printf("nearest of the 12 agrees\n");
  for (const auto& [name, x] : counts) {
    std::printf("%-23s", name);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      std::printf("%4d", that_agree(glove(x, 32, seed), data));
    }
    std::printf("\n");
  }
}
// [beside]

// [set_words]
/// Copies word vectors to the model, at the size of its initial values. Frozen ones do not learn.
inline void set_words(Bert& model, const Tensor& vectors, bool frozen) {
  const Tensor scaled = vectors * (Scalar(0.1) / std::sqrt(mean(vectors * vectors).item()));
  const Index first = (kUnk + 1) * vectors.size(1);  // special tokens have none
  Tensor& table = model.words.weight;
  std::copy(scaled.begin() + first, scaled.end(), table.mutable_data() + first);
  table.set_requires_grad(!frozen);
}
// [set_words]

}  // namespace reviews

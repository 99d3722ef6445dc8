/// @file
/// Chapter 18: models that fill in hidden words, and tests of their knowledge.
#pragma once

#include "tutorials/18_the_encoder_and_bert/word_vectors.h"
#include "tutorials/common/show.h"

namespace reviews {

// [all_hidden]
/// Puts [MASK] wherever a word is asked.
inline IndexTensor all_hidden(const IndexTensor& tokens, const IndexTensor& targets) {
  Tokens inputs(tokens.begin(), tokens.end());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (targets.data()[i] >= 0) inputs[i] = kMask;
  }
  return IndexTensor(tokens.shape(), inputs);
}
// [all_hidden]

// [lesson]
struct Lesson {
  bool both = true;          // the model sees both sides
  bool always_mask = false;  // [MASK] wherever a word is asked
  bool verdicts = true;      // the texts end with them
};
// [lesson]

// [pretrain]
inline void pretrain(Bert& model, const Data& data, int steps, std::uint64_t seed,
                     const Lesson& lesson = {}) {
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 3e-3, .floor = 3e-4, .warmup = 50, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    // [step]
    const auto batch = some(data.texts, 32, key_of(seed + 100, step));
    const auto [tokens, segments] = rows_of(batch, data.tokenizer, lesson.verdicts);
    auto [inputs, targets] =
        mask_words(tokens, data.tokenizer.words(), kMask, key_of(seed + 200, step));
    if (lesson.always_mask) inputs = all_hidden(tokens, targets);
    const Tensor features = model.features(inputs, visible(tokens, lesson.both), segments);
    return cross_entropy(model.word_logits(features), targets);
    // [step]
  });
}
// [pretrain]

// [hidden]
inline const Words kSorts = {"the, was, we, it", "and, but, although", "nouns",
                             "qualities",        "verdicts",           "all"};

inline int sort_of(const std::string& word) {
  const auto in = [&](const auto& lists) {
    return std::ranges::any_of(lists, [&](const Words& x) { return std::ranges::count(x, word); });
  };
  if (in(std::array{Words{"the", "was", "we", "it"}})) return 0;
  if (in(std::array{Words{"and", "but", "although"}})) return 1;
  return in(kNouns) ? 2 : in(kVerdicts) ? 4 : 3;
}

/// The hidden words of the held-out reviews, and the losses at each kind of word and at all words.
struct Hidden {
  explicit Hidden(const Data& data)
      : data(data), rows(rows_of(data.held_out, data.tokenizer, true)) {
    targets = mask_words(rows.tokens, data.tokenizer.words(), kMask, {.seed = 7}).targets;
  }
  /// `p` gives the hidden word at i its probability.
  void measure(std::vector<std::vector<double>>& losses, auto&& p) {
    std::vector<double> loss(kSorts.size());
    asked.assign(kSorts.size(), 0);
    for (Index i = 0; i < targets.size(); ++i) {
      const std::int32_t target = targets.data()[i];
      if (target < 0) continue;
      const double here = -std::log(p(i));
      for (const int sort : {sort_of(data.tokenizer.names[std::size_t(target)]), 5}) {
        loss[std::size_t(sort)] += here, ++asked[std::size_t(sort)];
      }
    }
    losses.resize(kSorts.size());
    for (std::size_t k = 0; k < loss.size(); ++k) losses[k].push_back(loss[k] / asked[k]);
  }
  const Data& data;
  Rows rows;
  IndexTensor targets;
  std::vector<int> asked = {};
};

inline void measure_model(const Bert& model, bool both, Hidden& hidden,
                          std::vector<std::vector<double>>& losses) {
  const NoGrad no_grad;
  const auto& [tokens, segments] = hidden.rows;
  const IndexTensor inputs = all_hidden(tokens, hidden.targets);
  const Tensor p =
      softmax(model.word_logits(model.features(inputs, visible(tokens, both), segments)));
  hidden.measure(
      losses, [&](Index i) { return double{p.data()[i * p.size(-1) + hidden.targets.data()[i]]}; });
}
// [hidden]

// [guess]
/// Prints the most probable words for each [MASK].
inline void guess(const Bert& model, const Data& data, const std::string& row, bool both) {
  const NoGrad no_grad;
  const Tokens row_tokens = data.tokenizer.encode(row);
  const IndexTensor tokens({1, std::ssize(row_tokens)}, row_tokens);
  const auto sep = std::find(row_tokens.begin(), row_tokens.end(), kSep) - row_tokens.begin();
  Tokens segments(row_tokens.size(), 0);
  for (Index i = sep + 1; i < std::ssize(segments); ++i) segments[std::size_t(i)] = 1;
  const Tensor p = softmax(model.word_logits(
      model.features(tokens, visible(tokens, both), IndexTensor(tokens.shape(), segments))));
  for (Index i = 0; i < tokens.size(); ++i) {
    if (tokens.data()[i] != kMask) continue;
    const Tensor here = slice(p, 1, i, i + 1);
    print_best({here.begin(), here.end()}, data.tokenizer.names, 4);
  }
}
// [guess]

// [guesses]
inline void guesses(const Bert& model, const Data& data, const Bert* left_alone = nullptr) {
  for (const std::string row : {"[CLS] the [MASK] was stale [SEP] we hated it [SEP]",
                                "[CLS] the soup was [MASK] and tasty [SEP] we loved it [SEP]",
                                "[CLS] the wine was sharp [SEP] we [MASK] it [SEP]",
                                "[CLS] the plot was sharp [SEP] we [MASK] it [SEP]"}) {
    std::printf("%s\n  both sides      ", row.c_str());
    guess(model, data, row, true);
    if (!left_alone) continue;
    std::printf("  left only       ");
    guess(*left_alone, data, row, false);
  }
}
// [guesses]

// [senses]
inline const Words kSenses = {"bad",   "awful",   "good",  "lovely", "raw",
                              "sharp", "strange", "light", "mild",   "soft"};

/// The vectors of kSenses, each as the last word of "the NOUN was ...".
inline Tensor vectors_beside(const std::string& noun, const Bert& model, const Data& data,
                             bool both = true) {
  const NoGrad no_grad;
  std::vector<Review> reviews;
  for (const std::string& word : kSenses) {
    reviews.push_back({"the " + noun + " was " + word, 0, kShifting, "we [MASK] it"});
  }
  const auto [tokens, segments] = rows_of(reviews, data.tokenizer, true);
  const Tensor features = model.features(tokens, visible(tokens, both), segments);
  return reshape(slice(features, 1, 4, 5), {std::ssize(kSenses), -1});
}

inline bool praises(const std::string& word, std::size_t topic) {
  return std::ranges::count(kShiftingQualities[0], word) == Index(topic);
}

/// Counts how many of 6 shifting qualities beside 10 nouns are nearer to words that agree.
inline int right_senses(const Bert& model, const Data& data) {
  int right = 0;
  for (const std::size_t topic : {0, 1}) {
    for (const std::string& noun : kNouns[topic]) {
      const Tensor cosines = cosines_of(vectors_beside(noun, model, data));
      for (std::size_t i = 4; i < kSenses.size(); ++i) {
        const Scalar* with = cosines.data() + i * kSenses.size();
        right += (with[2] + with[3] > with[0] + with[1]) == praises(kSenses[i], topic);
      }
    }
  }
  return right;
}

/// The same 60, with a linear classifier that learns from four nouns of each topic and is tested on
/// the fifth, each in turn.
inline int right_by_classifier(const Bert& model, const Data& data, bool both = true) {
  int right = 0;
  for (std::size_t fifth = 0; fifth < 5; ++fifth) {
    std::vector<Scalar> numbers[2];  // of the others; of the fifth
    Tokens labels[2];
    for (const std::size_t topic : {0, 1}) {
      for (std::size_t noun = 0; noun < 5; ++noun) {
        const Tensor x = slice(vectors_beside(kNouns[topic][noun], model, data, both), 0, 4, 10);
        numbers[noun == fifth].insert(numbers[noun == fifth].end(), x.begin(), x.end());
        for (std::size_t i = 4; i < 10; ++i) {
          labels[noun == fifth].push_back(praises(kSenses[i], topic));
        }
      }
    }
    const Index channels = model.config.layer.d_model;
    KeySequence keys(1);
    Linear classifier(channels, 2, keys);
    AdamW optimiser(parameters(classifier), {});
    const Schedule schedule{.rate = 0.03, .floor = 0.003, .warmup = 10, .decay = 300};
    train(optimiser, {.steps = 300, .schedule = schedule}, [&](int) {
      return cross_entropy(classifier(tensor({48, channels}, numbers[0])),
                           IndexTensor({48}, labels[0]));
    });
    const IndexTensor said = argmax(classifier(tensor({12, channels}, numbers[1])), -1);
    for (std::size_t i = 0; i < 12; ++i) right += said.data()[i] == labels[1][i];
  }
  return right;
}
// [senses]

// [best]
/// The losses of a model that has the grammar's probabilities.
inline void measure_best(bool both, Hidden& hidden, std::vector<std::vector<double>>& losses) {
  const Data& data = hidden.data;
  std::vector<Review> all;
  std::vector<double> share;  // each kind is a third of the reviews
  for (const Kind kind : data.kinds) {
    const std::vector<Review> same = all_reviews(kind);
    all.insert(all.end(), same.begin(), same.end());
    share.resize(all.size(), 1.0 / 3 / double(same.size()));
  }
  const IndexTensor possible = rows_of(all, data.tokenizer, true).tokens;
  const std::int32_t *tokens = hidden.rows.tokens.data(), *targets = hidden.targets.data();
  const Index length = hidden.rows.tokens.size(1);
  hidden.measure(losses, [&](Index i) {
    const Index row = i / length * length, end = both ? length : i - row + 1;
    double right = 0, sum = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::int32_t* words = possible.data() + Index(k) * length;
      bool fits = true;  // the same words wherever none is hidden
      for (Index t = 0; t < end && fits; ++t) {
        fits = targets[row + t] < 0 ? words[t] == tokens[row + t] : words[t] > kUnk;
      }
      if (!fits) continue;
      sum += share[k];
      if (words[i - row] == targets[i]) right += share[k];
    }
    return right / sum;
  });
}
// [best]

// [quick]
inline void quick(const Data& data) {
  const Part part("quick");
  Bert model(small_bert(data), 1);
  pretrain(model, data, 500, 1);
  guesses(model, data);
}
// [quick]

// [seen]
/// The share of visible words that the model names.
inline double seen(const Bert& model, const Data& data) {
  const NoGrad no_grad;
  const auto [tokens, segments] = rows_of(data.held_out, data.tokenizer, true);
  Tokens targets(tokens.begin(), tokens.end());
  for (auto& target : targets) target = target > kUnk ? target : -100;
  return accuracy(model.word_logits(model.features(tokens, visible(tokens, true), segments)),
                  IndexTensor(tokens.shape(), targets));
}
// [seen]

// [verdicts]
/// No label at all: which word is more probable for [MASK] in "we [MASK] it"?
inline Tensor verdict_logits(const Bert& model, const Data& data, bool both = true) {
  const NoGrad no_grad;
  std::vector<Review> reviews = data.held_out;
  for (Review& review : reviews) review.verdict = "we [MASK] it";
  const auto [tokens, segments] = rows_of(reviews, data.tokenizer, true);
  const Tensor logits = model.word_logits(model.features(tokens, visible(tokens, both), segments));
  std::vector<Scalar> two;
  for (Index i = 0; i < tokens.size(); ++i) {
    for (const auto word : {"hated", "loved"}) {
      if (tokens.data()[i] != kMask) continue;
      two.push_back(logits.data()[i * logits.size(-1) + data.tokenizer.token_of(word)]);
    }
  }
  return tensor({std::ssize(reviews), 2}, two);
}
// [verdicts]

}  // namespace reviews

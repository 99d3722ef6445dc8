/// @file
/// Chapter 20: GPT-1's inputs for one text, a pair and choices, and a GPT that learns to choose.
#pragma once

#include "tutorials/20_one_model_many_tasks/forgetting.h"
#include "tutorials/20_one_model_many_tasks/heads.h"

// [input_of]
/// GPT-1's new tokens: their numbers follow the vocabulary of V tokens.
struct NewTokens {
  explicit NewTokens(Index vocab_size) : start(std::int32_t(vocab_size)) {}
  std::int32_t start, delimiter = start + 1, extract = start + 2;
};

/// Returns: start, the texts with a delimiter between each two, extract.
inline Row input_of(const NewTokens& tokens, const std::vector<Tokens>& texts) {
  Tokens all = {tokens.start};
  for (const Tokens& text : texts) {
    all.insert(all.end(), text.begin(), text.end());
    all.push_back(tokens.delimiter);
  }
  all.back() = tokens.extract;
  return {all, {}};  // a prompt without an answer
}
// [input_of]

// [choose]
/// Returns logits [B, N] for N answers to each of B contexts: `scorer` has a head with one output.
inline Tensor choose(const Classifier& scorer, const NewTokens& tokens,
                     const std::vector<Tokens>& contexts,
                     const std::vector<std::vector<Tokens>>& answers) {
  Rows rows;  // B N
  for (std::size_t b = 0; b < contexts.size(); ++b) {
    for (const Tokens& answer : answers[b]) rows.push_back(input_of(tokens, {contexts[b], answer}));
  }
  return reshape(scorer(rows), {std::ssize(contexts), -1});
}
// [choose]

// [choices]
/// English sentences, each with two French ones: its translation, and that of another sentence.
struct Choices {
  /// Draws `count` of the first `labelled` rows.
  Choices(const Rows& rows, Index labelled, Index count, const RandomKey& key) {
    Tokens places;
    for (Index i = 0; i < count; ++i) {
      const Index which = uniform_index(key, 3 * i, labelled);
      const Index other =
          (which + 1 + uniform_index(key, 3 * i + 1, labelled - 1)) % labelled;  // not `which`
      places.push_back(std::int32_t(uniform_index(key, 3 * i + 2, 2)));
      contexts.push_back(without_last(rows[which].prompt));  // without <to-fr>
      answers.push_back({without_last(rows[which].answer), without_last(rows[other].answer)});
      if (places.back() == 1) std::swap(answers.back()[0], answers.back()[1]);
    }
    right = IndexTensor({count}, places);
  }
  static Tokens without_last(Tokens tokens) {
    tokens.pop_back();
    return tokens;
  }
  std::vector<Tokens> contexts;
  std::vector<std::vector<Tokens>> answers;
  IndexTensor right;  // the place of the translation, 0 or 1
};

/// Trains a copy of the GPT with a head of one output. Returns the share of held-out choices that
/// are right.
inline double by_choice(const Course& course, Gpt& start, Index labelled, int steps,
                        std::uint64_t seed) {
  const NewTokens tokens(start.config.vocab_size);
  KeySequence keys(seed);
  Classifier scorer(copy_of(start, 3), 1, keys);
  learn(scorer, steps, [&](int step) {
    const Choices batch(course.train[kTranslation], labelled, 16, {seed, std::uint32_t(step)});
    return cross_entropy(choose(scorer, tokens, batch.contexts, batch.answers), batch.right);
  });
  const NoGrad no_grad;
  const Rows& held_out = course.held_out[kTranslation];
  const Choices all(held_out, std::ssize(held_out), 200, {1});
  return accuracy(choose(scorer, tokens, all.contexts, all.answers), all.right);
}

inline void choices(const Course& course, Gpt& translator) {
  const Part part("choices");
  Gpt fresh = new_gpt(course, 1);
  std::printf("from nothing         %.2f\n", by_choice(course, fresh, 64, 60, 1));
  std::printf("from the translator  %.2f\n", by_choice(course, translator, 64, 60, 1));
}

inline void long_choices(const Course& course) {
  std::vector<Columns> shares(2, Columns(2));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Gpt fresh = new_gpt(course, seed), translating = translator(course, 300, seed);
    for (const std::size_t i : {0, 1}) {
      const int steps = i == 0 ? 60 : 200;
      shares[0][i].push_back(by_choice(course, fresh, 64, steps, seed));
      shares[1][i].push_back(by_choice(course, translating, 64, steps, seed));
    }
  }
  print_table("long_choices", "64 labelled sentences", {"60 steps", "200 steps"},
              {"choice, from nothing", "choice, from translator"}, shares);
}
// [choices]

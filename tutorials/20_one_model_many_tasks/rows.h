/// @file
/// Code for chapter 20's program and its exercises: rows of tokens, batches of rows, the loop, and
/// scores of answers.
#pragma once

#include "tutorials/20_one_model_many_tasks/prompts.h"

namespace tasks {

// [Row]
constexpr std::int32_t kEnd = 0, kIgnored = -100;

/// A prompt and its answer as tokens. The answer ends with <end>.
struct Row {
  Tokens prompt, answer;
};
using Rows = std::vector<Row>;

inline Row row_of(const WordTokenizer& words, const Prompt& prompt) {
  Row row{words.encode(prompt.text), words.encode(prompt.answer)};
  row.answer.push_back(kEnd);
  return row;
}
// [Row]

// [batch_of]
/// Makes a batch of rows of unequal length. The targets are the answers, or `everything`.
inline Batch batch_of(const Rows& rows, bool everything = false) {
  std::size_t length = 0;
  for (const Row& row : rows) length = std::max(length, row.prompt.size() + row.answer.size() - 1);
  Tokens inputs, targets;
  for (const Row& row : rows) {
    Tokens all = row.prompt;
    all.insert(all.end(), row.answer.begin(), row.answer.end());
    for (std::size_t t = 0; t < length; ++t) {
      const bool real = t + 1 < all.size();  // a token comes after it
      const bool asked = everything || t + 1 >= row.prompt.size();
      inputs.push_back(real ? all[t] : kEnd);
      targets.push_back(real && asked ? all[t + 1] : kIgnored);
    }
  }
  const Shape shape{std::ssize(rows), Index(length)};
  return {IndexTensor(shape, inputs), IndexTensor(shape, targets)};
}
// [batch_of]

// [Course]
/// The data as rows, and batches of it.
struct Course {
  Course(Index train_count, Index held_out_count, const std::vector<Generator>& more = {})
      : data(train_count, held_out_count, more), words(data) {
    train.resize(data.train.size()), held_out.resize(data.train.size());
    for (std::size_t task = 0; task < train.size(); ++task) {
      for (const Prompt& prompt : data.train[task]) train[task].push_back(row_of(words, prompt));
      for (const Prompt& prompt : data.held_out[task]) {
        held_out[task].push_back(row_of(words, prompt));
      }
    }
  }
  /// Draws random rows to train on: counts[task] of each task.
  Rows draw(const std::vector<Index>& counts, std::uint64_t seed, int step) const {
    Rows rows;
    for (std::uint32_t task = 0; task < counts.size(); ++task) {
      const RandomKey key{seed, std::uint32_t(step), task};
      for (Index i = 0; i < counts[task]; ++i) {
        rows.push_back(train[task][uniform_index(key, i, std::ssize(train[task]))]);
      }
    }
    return rows;
  }
  Data data;
  WordTokenizer words;
  std::vector<Rows> train, held_out;  // of each task
};
// [Course]

// [learn]
/// The training loop, for a GPT or a GPT with a head.
inline void learn(auto& model, int steps, const std::function<Tensor(int)>& loss,
                  const std::function<void(int)>& look = {}, double rate = 1e-2) {
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = rate, .floor = rate / 10, .warmup = 20, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule, .before_step = look}, loss);
}

inline Gpt new_gpt(const Course& course, std::uint64_t seed) {
  GptConfig config{.vocab_size = course.words.vocab_size(), .n_positions = 40};
  config.n_layer = 2, config.n_head = 4, config.n_embd = 32, config.dropout = 0;
  config.position = Position::kBuckets;  // as in T5: see chapter 13
  return Gpt(config, seed);
}

/// Copies the weights into a new GPT: a copied tensor would be a handle to the same numbers.
/// The embeddings of `new_tokens` more tokens are random.
inline Gpt copy_of(Gpt& model, Index new_tokens = 0) {
  GptConfig config = model.config;
  config.vocab_size += new_tokens;
  Gpt copy(config);
  const std::vector<NamedTensor> from = parameters(model);
  std::vector<NamedTensor> to = parameters(copy);
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::copy(from[i].tensor.begin(), from[i].tensor.end(), to[i].tensor.mutable_data());
  }
  return copy;
}
// [learn]

// [score]
struct Score {
  double loss, exact;  // mean over the answers' tokens; share of answers without a mistake
};

inline Score score(const Gpt& model, const Rows& rows) {
  const NoGrad no_grad;
  const auto [inputs, targets] = batch_of(rows);
  const Tensor logits = model(inputs);
  const IndexTensor best = argmax(logits, -1);
  std::vector<bool> right(rows.size(), true);
  for (Index i = 0; i < targets.size(); ++i) {
    const std::int32_t target = targets.data()[i];
    if (target != kIgnored && target != best.data()[i]) right[i / targets.size(1)] = false;
  }
  const double exact = double(std::count(right.begin(), right.end(), true));
  return {cross_entropy(logits, targets).item(), exact / double(rows.size())};
}
// [score]

// [answer_to]
/// Writes 12 tokens after a prompt, each the most probable, and cuts them at the first <end>.
inline Tokens answer_to(const Gpt& model, const Tokens& prompt) {
  Tokens answer = generate(model, prompt, 12, {.temperature = 0}, {});
  answer.erase(std::find(answer.begin(), answer.end(), kEnd), answer.end());
  return answer;
}
// [answer_to]

}  // namespace tasks

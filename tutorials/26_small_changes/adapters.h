/// @file
/// Chapter 26: a pair beside one matrix, and a translator that learns a new task with pairs.
#pragma once

#include <cstdio>

#include "pocket/lora.h"
#include "tutorials/20_one_model_many_tasks/rows.h"
#include "tutorials/26_small_changes/figures.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace pocket;
using namespace course;
using namespace tasks;

inline constexpr std::size_t kSentiment = 0, kTranslation = 1;

// [one_pair]
inline double largest_difference(const Tensor& a, const Tensor& b) {
  double most = 0;
  for (Index i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(double{a.data()[i]} - double{b.data()[i]}));
  }
  return most;
}

inline void one_pair() {
  const Part part("one_pair");
  KeySequence keys(1);
  const Tensor weight = Linear(32, 128, keys).weight, x = normal({16, 32}, keys.next());
  LowRank pair(32, 128, {.rank = 4}, keys);
  const Tensor alone = matmul(x, weight);
  std::printf("numbers in W          %d\n", int(weight.size()));
  std::printf("numbers in A and B     %d\n", int(count(parameters(pair))));
  std::printf("a new pair changes y by at most  %g\n",
              largest_difference(alone, pair.beside(weight, x)));
  pair.b = normal({4, 128}, keys.next());  // as if it had been trained
  const Tensor beside = pair.beside(weight, x), merged = matmul(x, pair.merged(weight));
  std::printf("with random B, by at most        %.0f\n", largest_difference(alone, beside));
  std::printf("beside and merged differ by      %.0e\n", largest_difference(beside, merged));
}
// [one_pair]

// [pair_by_hand]
inline void pair_by_hand() {
  const Part part("pair_by_hand");
  const Tensor x = tensor({{1, 2}}), weight = tensor({{1, 0, 2}, {0, 1, 1}});
  KeySequence keys(1);
  LowRank pair(2, 3, {.rank = 1, .alpha = Scalar(0.5)}, keys);
  pair.a = tensor({{1}, {-1}}), pair.b = tensor({{2, 0, 1}});
  const auto print = [](const char* name, const Tensor& y) {
    std::printf("%-8s", name);
    for (const Scalar each : y) std::printf(" %4.1f", double{each});
    std::printf("\n");
  };
  print("W alone", matmul(x, weight)), print("beside", pair.beside(weight, x));
  print("merged", matmul(x, pair.merged(weight)));
}
// [pair_by_hand]

// [translator]
/// Trains a GPT on translations, as in chapter 20. `half` becomes a copy after 150 of 300 steps.
inline Gpt translator(const Course& course, std::uint64_t seed, Gpt& half) {
  Gpt model = new_gpt(course, seed);
  const auto loss = [&](int step) {
    const auto [inputs, targets] = batch_of(course.draw({0, 16, 0}, seed, step));
    return model.loss(inputs, targets);
  };
  learn(model, 300, loss, [&](int step) {
    if (step == 150) half = copy_of(model);
  });
  return model;
}
// [translator]

// [things_of]
/// The new task names the thing alone: "The girl wears a red dress. <summarize>" becomes "une robe
/// rouge."
inline Rows things_of(const Course& course, Rows translations) {
  const Tokens articles = course.words.encode("un une le la");
  for (Row& row : translations) {
    row.prompt.back() = course.words.encode("<summarize>")[0];
    row.answer.erase(row.answer.begin(), std::find_first_of(row.answer.begin(), row.answer.end(),
                                                            articles.begin(), articles.end()));
  }
  return translations;
}

inline Tensor loss_on_things(const Course& course, const Gpt& model, std::uint64_t seed, int step) {
  const Rows rows = things_of(course, course.draw({0, 16, 0}, seed + 100, step));
  const auto [inputs, targets] = batch_of(rows);
  return model.loss(inputs, targets);
}
// [things_of]

// [learn_with_all]
/// Returns a copy, with all numbers trained on the new task.
inline Gpt learned_with_all(const Course& course, Gpt& start, std::uint64_t seed, double rate) {
  Gpt model = copy_of(start);
  const auto loss = [&](int step) { return loss_on_things(course, model, seed, step); };
  learn(model, 60, loss, {}, rate);
  return model;
}
// [learn_with_all]

// [learn_with_pairs]
/// Freezes the model, and trains a pair beside each matrix of its blocks.
inline Lora learned_with_pairs(const Course& course, Gpt& model, Index rank, std::uint64_t seed) {
  KeySequence keys(seed);
  Lora lora(model, {.rank = rank}, keys);
  const auto loss = [&](int step) {
    lora.put_into(model);
    return loss_on_things(course, model, seed, step);
  };
  learn(lora, 60, loss, {}, 5e-3);
  const NoGrad no_grad;  // W + s A B as plain numbers, without a graph
  lora.put_into(model);
  return lora;
}
// [learn_with_pairs]

// [learned]
/// A row of the table: things and translations that are right, and the loss on translations.
inline void add_row(Columns& row, const Course& course, const Gpt& model) {
  row.resize(3);
  const Score old = score(model, course.held_out[kTranslation]);
  const Score now = score(model, things_of(course, course.held_out[kTranslation]));
  row[0].push_back(now.exact), row[1].push_back(old.exact), row[2].push_back(old.loss);
}

inline void print_learned(const std::vector<std::string>& names, const std::vector<Columns>& rows) {
  print_heads("", {"things: right", "translations: right", "loss"});
  for (std::size_t i = 0; i < rows.size(); ++i) print_row(names[i], rows[i], {2, 2, 2});
}

inline void write(const Course& course, const char* when, const Gpt& model) {
  const Prompt& shown = kShown[kTranslation];
  std::printf("%-17s %s\n", when,
              course.words.decode(answer_to(model, course.words.encode(shown.text))).c_str());
}

inline void learned(const Course& course, Gpt& model) {
  const Part part("learned");
  std::vector<Columns> rows(4);
  add_row(rows[0], course, model);
  const Gpt all = learned_with_all(course, model, 1, 5e-3);
  add_row(rows[1], course, all);
  Gpt frozen = copy_of(model);
  Lora lora = learned_with_pairs(course, frozen, 4, 1);
  add_row(rows[2], course, frozen);
  Gpt with_pairs = copy_of(frozen);
  lora.put_into(frozen, false);
  add_row(rows[3], course, frozen);
  const auto named = [](const char* name, Index n) { return name + std::to_string(n); };
  print_learned({"before", named("all numbers: ", count(parameters(model))),
                 named("pairs: ", count(parameters(lora))), "pairs taken off"},
                rows);
  std::printf("%s\n", kShown[kTranslation].text.c_str());
  write(course, "all numbers:", all), write(course, "pairs:", with_pairs);
  write(course, "pairs taken off:", frozen);
}
// [learned]

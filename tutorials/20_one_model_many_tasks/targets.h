/// @file
/// Chapter 20: examples of the three tasks, and which tokens of a row have targets.
#pragma once

#include <cstdio>

#include "tutorials/20_one_model_many_tasks/figures.h"
#include "tutorials/20_one_model_many_tasks/rows.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace pocket;
using namespace course;
using namespace tasks;

inline constexpr std::size_t kSentiment = 0, kTranslation = 1;

// [examples]
inline void examples(const Course& course) {
  const Part part("examples");
  for (std::size_t task = 0; task < 3; ++task) {
    std::set<std::string> known;
    for (const Prompt& prompt : course.data.train[task]) known.insert(without_sign(prompt.text));
    int both = int(known.contains(without_sign(kShown[task].text)));
    for (const Prompt& prompt : course.data.held_out[task]) {
      both += known.contains(without_sign(prompt.text));
    }
    std::printf("%s: %d prompts to learn from, %d different texts\n", kTasks[task].c_str(),
                int(course.data.train[task].size()), int(known.size()));
    std::printf("%d held out; texts in both: %d\n", int(course.data.held_out[task].size()), both);
    for (std::uint32_t i = 0; i < 40000; ++i) {
      Draws draws{{2, std::uint32_t(task), i}};
      known.insert(without_sign(kGenerators[task](draws).text));
    }
    std::printf("with 40000 more draws, %d texts\n", int(known.size()));
    const Prompt& first = course.data.train[task][0];
    std::printf("%s\n   -> %s\n", wrapped(first.text).c_str(), first.answer.c_str());
  }
  std::printf("%d different words and signs\n", int(course.words.vocab_size()));
}
// [examples]

inline void one_row(const Course& course) {
  const Part part("one_row");
  // [one_row]
  const auto [inputs, targets] = batch_of({row_of(course.words, kShown[kSentiment])});
  std::printf("t  reads        target\n");
  for (Index t = 0; t < inputs.size(1); ++t) {
    const std::int32_t target = targets.data()[t];
    const std::string& next = target == kIgnored ? "-100" : course.words.words[target];
    std::printf("%d  %-12s %s\n", int(t), course.words.words[inputs.data()[t]].c_str(),
                next.c_str());
  }
  // [one_row]
}

inline void padding(const Course& course) {
  const Part part("padding");
  // [padding]
  const Gpt model = new_gpt(course, 1);
  const Rows rows = course.draw({1, 1, 1}, 1, 1);
  double total = 0, asked = 0;
  for (const Row& row : rows) {  // one by one, without any padding
    const auto [inputs, targets] = batch_of({row});
    total += model.loss(inputs, targets).item() * double(row.answer.size());
    asked += double(row.answer.size());
  }
  const auto [inputs, targets] = batch_of(rows);
  must_equal("the loss of the batch, and of its rows by themselves", model.loss(inputs, targets),
             scalar(Scalar(total / asked)));
  // [padding]
}

inline void by_hand() {
  const Part part("by_hand");
  // [by_hand]
  const Tensor logits = tensor({{{1, 0, 2}, {0, 3, 1}, {2, 2, 0}, {1, 1, 4}},
                                {{0, 1, 0}, {3, 0, 0}, {5, 5, 5}, {5, 5, 5}}});  // [2, 4, 3]
  const IndexTensor all = indices({{2, 1, 0, 2}, {0, 1, -100, -100}});
  const IndexTensor answers = indices({{-100, -100, 0, 2}, {-100, 1, -100, -100}});
  std::printf("everything %.4f\n", double{cross_entropy(logits, all).item()});
  std::printf("answers    %.4f\n", double{cross_entropy(logits, answers).item()});
  const Tensor last =
      embedding(indices({3, 4 + 1}), reshape(logits, {-1, 3}));  // of 4 and 2 tokens
  std::printf("last rows ");
  for (const Scalar x : last) std::printf(" %.0f", double{x});
  std::printf("\n");
  // [by_hand]
}

// [targets]
/// The mean number of targets in a row's answer, and in its prompt.
inline void targets(const Course& course) {
  const Part part("targets");
  double sums[2] = {};
  std::printf("targets      answer  prompt\n");
  for (std::size_t task = 0; task < 3; ++task) {
    double answers = 0, prompts = 0;
    for (const Row& row : course.train[task]) {
      answers += double(row.answer.size()), prompts += double(row.prompt.size() - 1);
    }
    const double rows = double(course.train[task].size());
    std::printf("%-12s %6.1f %7.1f\n", kTasks[task].c_str(), answers / rows, prompts / rows);
    sums[0] += answers / rows, sums[1] += prompts / rows;
  }
  std::printf("%-12s %6.1f %7.1f\n", "one of each", sums[0], sums[1]);
}
// [targets]

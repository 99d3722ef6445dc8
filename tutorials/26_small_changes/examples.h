/// @file
/// Chapter 26: does the translator use examples in its prompt?
#pragma once

#include "tutorials/26_small_changes/two_answers.h"

// [with_examples]
/// Puts `many` solved training rows of the task before each held-out prompt.
inline Rows with_examples(const Course& course, std::size_t task, Index many) {
  Rows rows;
  for (const Row& row : course.held_out[task]) {
    Row longer{{}, row.answer};
    const auto append = [&](const Tokens& more) {
      longer.prompt.insert(longer.prompt.end(), more.begin(), more.end());
    };
    for (Index i = 0; i < many; ++i) {
      const RandomKey key{9, std::uint32_t(rows.size())};
      const Index which = uniform_index(key, i, std::ssize(course.train[task]));
      append(course.train[task][which].prompt), append(course.train[task][which].answer);
    }
    append(row.prompt);
    rows.push_back(longer);
  }
  return rows;
}
// [with_examples]

// [chosen]
/// The share of tweets whose label is more probable than the other label.
inline double chosen(const Course& course, const Gpt& model, const Rows& tweets) {
  const NoGrad no_grad;
  const Tokens labels = course.words.encode("positive negative");
  Rows other = tweets;
  for (Row& row : other) row.answer[0] = labels[0] + labels[1] - row.answer[0];
  const Tensor right = log_p(model, tweets), wrong = log_p(model, other);
  double count = 0;
  for (Index i = 0; i < right.size(); ++i) count += right.data()[i] > wrong.data()[i];
  return count / double(right.size());
}
// [chosen]

// [few]
constexpr std::array<Index, 4> kMany = {0, 1, 2, 4};

inline void add_few(std::vector<Columns>& rows, const Course& course, Gpt model) {
  rows.resize(kMany.size(), Columns(2));
  model.config.n_positions = 120;  // its positions are distances, so it can read longer rows
  for (std::size_t i = 0; i < kMany.size(); ++i) {
    rows[i][0].push_back(score(model, with_examples(course, kTranslation, kMany[i])).exact);
    rows[i][1].push_back(chosen(course, model, with_examples(course, kSentiment, kMany[i])));
  }
}

inline void print_few(const std::vector<Columns>& rows) {
  print_heads("examples in the prompt", {"translations: right", "tweets: label right"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    print_row(std::to_string(kMany[i]), rows[i], {2, 2});
  }
}

inline void few(const Course& course, const Gpt& model) {
  const Part part("few");
  std::vector<Columns> rows;
  add_few(rows, course, model);
  print_few(rows);
}
// [few]

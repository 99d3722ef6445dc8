/// @file
/// Chapter 20: one model for three tasks, or three models, and three losses.
#pragma once

#include "tutorials/20_one_model_many_tasks/summaries.h"

// [three]
using LossOf = Tensor (*)(const Gpt&, const Rows&);

inline Tensor on_answers(const Gpt& model, const Rows& rows) {
  const auto [inputs, targets] = batch_of(rows);
  return model.loss(inputs, targets);
}

/// Trains one GPT, with counts[task] rows of each task in a batch.
inline Gpt trained(const Course& course, const std::vector<Index>& counts, int steps,
                   std::uint64_t seed, LossOf loss_of,
                   const std::function<void(int, const Gpt&)>& look) {
  Gpt model = new_gpt(course, seed);
  const auto loss = [&](int step) { return loss_of(model, course.draw(counts, seed, step)); };
  learn(model, steps, loss, [&](int step) { look(step, model); });
  look(steps, model);
  return model;
}
// [three]

// [progress]
inline Gpt three(const Course& course) {
  const Part part("three");
  std::printf("step  exact match: %s  %s  %s\n", kTasks[0].c_str(), kTasks[1].c_str(),
              kTasks[2].c_str());
  return trained(course, {5, 5, 5}, 400, 1, on_answers, [&](int step, const Gpt& model) {
    if (step % 100 != 0) return;
    std::printf("%4d %23.2f %12.2f %8.2f\n", step, score(model, course.held_out[0]).exact,
                score(model, course.held_out[1]).exact, score(model, course.held_out[2]).exact);
  });
}
// [progress]

// [everything]
inline Tensor on_everything(const Gpt& model, const Rows& rows) {
  const auto [inputs, targets] = batch_of(rows, true);
  return model.loss(inputs, targets);
}

/// Targets in the prompts alone: all targets that are not in the answers.
inline IndexTensor prompts_of(const Rows& rows) {
  const IndexTensor answers = batch_of(rows).targets, all = batch_of(rows, true).targets;
  Tokens prompts(all.begin(), all.end());
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    if (answers.data()[i] != kIgnored) prompts[i] = kIgnored;
  }
  return IndexTensor(all.shape(), prompts);
}

/// The sum of two means: over the answers' tokens, and over the prompts' tokens.
inline Tensor on_both(const Gpt& model, const Rows& rows) {
  const auto [inputs, answers] = batch_of(rows);
  const Tensor logits = model(inputs);
  return cross_entropy(logits, answers) + cross_entropy(logits, prompts_of(rows));
}

/// Exact match of models that learn one task, tweets or reports, from 15 rows in each batch.
inline Columns alone_with_15_rows(const Course& course) {
  Columns exact(2);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const std::size_t i : {0, 1}) {
      std::vector<Index> counts(3);
      counts[2 * i] = 15;
      const auto look = [](int, const Gpt&) {};
      const Gpt model = trained(course, counts, 1600, seed, on_answers, look);
      exact[i].push_back(score(model, course.held_out[2 * i]).exact);
    }
  }
  return exact;
}

/// Trains with three losses, and one model a task, for 1600 steps. Returns the first loss's models.
inline std::vector<Gpt> long_three(const Course& course) {
  const std::array<LossOf, 3> losses = {on_answers, on_everything, on_both};
  std::vector<Gpt> models;
  std::vector<Columns> shares(12, Columns(3)), means(9, Columns(2));
  Columns summaries(5);  // for each seed: right summaries after every 100 steps
  std::vector<Columns> words(5);
  std::string things;  // at seed 4
  Rows all;
  for (const Rows& task : course.held_out) all.insert(all.end(), task.begin(), task.end());
  const auto row_at = [](int step) { return step == 400 ? 0 : step == 800 ? 1 : 2; };
  const auto shown = [](int step) { return step == 400 || step == 800 || step == 1600; };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (std::size_t l = 0; l < 3; ++l) {
      const auto look = [&](int step, const Gpt& model) {
        if (l == 0 && step % 100 == 0) {
          summaries[seed - 1].push_back(score(model, course.held_out[2]).exact);
          words[seed - 1].push_back(words_right(model, course.held_out[2]));
        }
        if (l == 0 && seed == 4 && (step == 700 || step == 800)) {
          things += "seed 4, " + std::to_string(step) + " steps\n" + things_right(course, model);
        }
        if (!shown(step)) return;
        for (std::size_t task = 0; task < 3; ++task) {
          const double exact = score(model, course.held_out[task]).exact;
          shares[4 * row_at(step) + l][task].push_back(exact);
        }
        const NoGrad no_grad;
        Columns& mean = means[3 * row_at(step) + l];
        mean[0].push_back(score(model, all).loss);
        mean[1].push_back(model.loss(batch_of(all).inputs, prompts_of(all)).item());
      };
      Gpt model = trained(course, {5, 5, 5}, 1600, seed, losses[l], look);
      if (l == 0) models.push_back(model);
    }
    for (std::size_t task = 0; task < 3; ++task) {
      std::vector<Index> counts(3);
      counts[task] = 5;
      trained(course, counts, 1600, seed, on_answers, [&](int step, const Gpt& model) {
        if (!shown(step)) return;
        shares[4 * row_at(step) + 3][task].push_back(score(model, course.held_out[task]).exact);
      });
    }
  }
  const std::vector<std::string> tasks(kTasks.begin(), kTasks.end());
  const std::array<std::string, 4> what = {"answers", "everything", "the sum", "three models"};
  std::vector<std::string> early, three;
  for (const std::string steps : {"400: ", "800: ", "1600: "}) {
    for (std::size_t l = 0; l < 3; ++l) three.push_back(steps + what[l]);
    for (const std::string& row : what) early.push_back(steps + row);
  }
  print_table("long_three", "1600 steps, exact match", tasks, {"one model", "three models"},
              {shares[8], shares[11]});
  print_table("long_fifteen", "1600 steps, exact match", {kTasks[0], kTasks[2]},
              {"alone, 15 rows a batch"}, {alone_with_15_rows(course)});
  print_table("long_prompts", "1600 steps, exact match", tasks, {what[0], what[1], what[2]},
              {shares[8], shares[9], shares[10]});
  early.resize(8), shares.resize(8);
  print_table("long_early", "exact match", tasks, early, shares);
  print_table("long_losses", "loss, held out", {"answers", "prompts"}, three, means);
  print_seeds("long_summaries", summaries);
  print_words("long_words", kWords, words);
  {
    const Part part("long_things");
    std::printf("%s", things.c_str());
  }
  print_shares("long_seed_3", kWords, words[2]);
  print_shares("long_seed_4", kWords, words[3]);
  return models;
}
// [everything]

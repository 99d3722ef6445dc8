/// @file
/// Chapter 20: the effect of fine-tuning on tweets on translations.
#pragma once

#include "tutorials/20_one_model_many_tasks/targets.h"

// [fine_tuned]
/// Trains a copy on tweets; `kept` of 16 rows are translations.
inline Gpt fine_tuned(const Course& course, Gpt& start, Index kept, int steps, std::uint64_t seed,
                      const std::function<void(int, const Gpt&)>& look = {}) {
  Gpt model = copy_of(start);
  const auto loss = [&](int step) {
    const auto [inputs, targets] = batch_of(course.draw({16 - kept, kept, 0}, seed, step));
    return model.loss(inputs, targets);
  };
  const auto before_step = [&](int step) {
    if (look) look(step, model);
  };
  learn(model, steps, loss, before_step, 5e-3);
  return model;
}
// [fine_tuned]

// [swap]
/// `model` with the token embedding of `other`.
inline Gpt with_wte_of(Gpt& other, Gpt& model) {
  Gpt mixed = copy_of(model);
  mixed.wte = copy_of(other).wte;
  return mixed;
}
// [swap]

// [forget]
inline Gpt translator(const Course& course, int steps, std::uint64_t seed) {
  Gpt model = new_gpt(course, seed);
  learn(model, steps, [&](int step) {
    const auto [inputs, targets] = batch_of(course.draw({0, 16, 0}, seed, step));
    return model.loss(inputs, targets);
  });
  return model;
}

/// Returns the translator, as it was before the tweets.
inline Gpt forget(const Course& course) {
  const Part part("forget");
  Gpt model = translator(course, 300, 1);
  std::vector<double> steps, losses[2];
  std::vector<Gpt> after;
  for (const bool mixed : {false, true}) {
    const auto look = [&](int step, const Gpt& now) {
      if (step % 5 != 0) return;
      losses[mixed].push_back(score(now, course.held_out[kTranslation]).loss);
      if (!mixed) steps.push_back(step);
    };
    after.push_back(fine_tuned(course, model, mixed ? 4 : 0, 61, 1, look));
  }
  std::printf("steps   tweets alone   with 4 of 16 old rows\n");
  for (std::size_t i = 0; i < steps.size(); i += 4) {
    std::printf("%5.0f %14.2f %23.2f\n", steps[i], losses[0][i], losses[1][i]);
  }
  const Tokens prompt = course.words.encode(kShown[kTranslation].text);
  const auto write = [&](const char* when, const Gpt& by) {
    std::printf("%-18s %s\n", when, course.words.decode(answer_to(by, prompt)).c_str());
  };
  std::printf("%s\n", kShown[kTranslation].text.c_str());
  write("before:", model), write("after tweets:", after[0]), write("after both:", after[1]);
  draw_forgetting(steps, losses[0], losses[1]);
  return model;
}

inline void long_forget(const Course& course) {
  std::array<Columns, 5> rows;
  rows.fill(Columns(3));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Gpt first = translator(course, 300, seed);
    Gpt alone = fine_tuned(course, first, 0, 200, seed);
    const std::array<Gpt, 5> models = {first, alone, with_wte_of(first, alone),
                                       with_wte_of(alone, first),
                                       fine_tuned(course, first, 4, 200, seed)};
    for (std::size_t i = 0; i < models.size(); ++i) {
      const Score old = score(models[i], course.held_out[kTranslation]);
      rows[i][0].push_back(old.loss), rows[i][1].push_back(old.exact);
      rows[i][2].push_back(score(models[i], course.held_out[kSentiment]).exact);
    }
  }
  const std::vector<std::string> columns = {"translation: loss", "exact match", "tweets: exact"};
  {
    const Part part("long_forget");
    print_heads("", columns);
    print_row("before tweets", rows[0]);
    print_row("after tweets alone", rows[1]);
    print_row("after both, 12 and 4", rows[4]);
  }
  const Part part("long_swap");
  print_heads("", columns);
  print_row("wte before, blocks after", rows[2]);
  print_row("wte after, blocks before", rows[3]);
}
// [forget]

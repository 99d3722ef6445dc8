/// @file
/// Chapter 26: a translator that learns from two answers: the right one and its own mistake.
#pragma once

#include "pocket/preferences.h"
#include "tutorials/26_small_changes/adapters.h"

// [own_mistakes]
/// Answers to the same prompts: row i of `better`, and row i of `worse`.
struct Preferences {
  Rows better, worse;
};

/// Lets the model translate. Each mistake is a worse answer.
inline Preferences own_mistakes(const Gpt& model, const Rows& rows) {
  Preferences answers;
  for (const Row& row : rows) {
    Tokens written = answer_to(model, row.prompt);
    written.push_back(kEnd);
    if (written == row.answer) continue;
    answers.better.push_back(row), answers.worse.push_back({row.prompt, written});
  }
  return answers;
}
// [own_mistakes]

// [log_p]
/// ln p of each row's answer: [B].
inline Tensor log_p(const Gpt& model, const Rows& rows) {
  const auto [inputs, targets] = batch_of(rows);
  return log_probabilities(model(inputs), targets);
}
// [log_p]

// [loss_by_hand]
inline void loss_by_hand() {
  const Part part("loss_by_hand");
  const Tensor better = tensor({-2}), better_before = tensor({Scalar(-2.5)});
  const Tensor worse = tensor({-3}), worse_before = tensor({-2});
  for (const Scalar beta : {Scalar(0), Scalar(0.1), Scalar(1)}) {
    const Tensor loss = dpo_loss(better, worse, better_before, worse_before, beta);
    std::printf("beta %3.1f  loss %.4f\n", double{beta}, double{loss.item()});
  }
}
// [loss_by_hand]

// [loss_of_answers]
enum class Learns { kDpo, kBetter, kBoth };

inline Tensor loss_of_answers(const Gpt& model, const Gpt& before, const Preferences& some,
                              Learns learns) {
  const auto [inputs, targets] = batch_of(some.better);
  if (learns == Learns::kBetter) return model.loss(inputs, targets);
  Tensor better_before, worse_before;
  {
    const NoGrad no_grad;
    better_before = log_p(before, some.better), worse_before = log_p(before, some.worse);
  }
  const Tensor dpo = dpo_loss(log_p(model, some.better), log_p(model, some.worse), better_before,
                              worse_before, Scalar(0.1));
  return learns == Learns::kDpo ? dpo : dpo + model.loss(inputs, targets);
}
// [loss_of_answers]

// [learn_pairs]
/// Trains low-rank pairs beside a frozen copy of the model, and looks at it every ten steps.
inline void learn_pairs(Gpt& start, const Preferences& all, Learns learns, std::uint64_t seed,
                        const std::function<void(int, const Gpt&)>& look) {
  Gpt model = copy_of(start);
  KeySequence keys(seed);
  Lora lora(model, {.rank = 4}, keys);
  const auto loss = [&](int step) {
    lora.put_into(model);
    Preferences some;
    for (Index i = 0; i < 16; ++i) {
      const RandomKey key{seed, std::uint32_t(step)};
      const Index which = uniform_index(key, i, std::ssize(all.better));
      some.better.push_back(all.better[which]), some.worse.push_back(all.worse[which]);
    }
    return loss_of_answers(model, start, some, learns);
  };
  const auto look_now = [&](int step) {
    if (step % 10 != 0) return;
    const NoGrad no_grad;
    lora.put_into(model);
    look(step, model);
  };
  learn(lora, 60, loss, look_now, 1e-3);
  look_now(60);
}
// [learn_pairs]

// [preferences]
/// The mean ln p of the better and of the worse answers, and the share of translations that are
/// right.
inline std::array<double, 3> measured(const Course& course, const Gpt& model,
                                      const Preferences& held_out) {
  const NoGrad no_grad;
  return {mean(log_p(model, held_out.better)).item(), mean(log_p(model, held_out.worse)).item(),
          score(model, course.held_out[kTranslation]).exact};
}

inline Rows first_rows(const Course& course, Index count) {
  const Rows& all = course.train[kTranslation];
  return {all.begin(), all.begin() + count};
}

inline void preferences(const Course& course, Gpt& half) {
  const Part part("preferences");
  const Preferences answers = own_mistakes(half, first_rows(course, 400));
  const Preferences held_out = own_mistakes(half, course.held_out[kTranslation]);
  std::printf("%d mistakes in 400 translations\n", int(answers.better.size()));
  const Tokens& prompt = held_out.better[0].prompt;
  std::printf("%s\n", course.words.decode(prompt).c_str());
  const auto print = [&](const char* name, Tokens answer) {
    answer.erase(std::find(answer.begin(), answer.end(), kEnd), answer.end());
    std::printf("%-16s %s\n", name, course.words.decode(answer).c_str());
  };
  print("better:", held_out.better[0].answer), print("worse:", held_out.worse[0].answer);
  std::string table;
  Tokens last;
  const Tensor better_before = log_p(half, held_out.better).detach();
  const Tensor worse_before = log_p(half, held_out.worse).detach();
  const auto look = [&](int step, const Gpt& model) {
    if (step % 20 != 0) return;
    const Tensor better = log_p(model, held_out.better), worse = log_p(model, held_out.worse);
    const Tensor loss = dpo_loss(better, worse, better_before, worse_before, Scalar(0.1));
    char line[80];
    std::snprintf(line, sizeof line, "%5d  %.3f %13.2f %6.2f %10.2f\n", step, double{loss.item()},
                  double{mean(better).item()}, double{mean(worse).item()},
                  score(model, course.held_out[kTranslation]).exact);
    table += line, last = answer_to(model, prompt);
  };
  learn_pairs(half, answers, Learns::kDpo, 1, look);
  print("after 60 steps:", last);
  std::printf("steps  loss   ln p: better  worse  translations right\n%s", table.c_str());
}
// [preferences]

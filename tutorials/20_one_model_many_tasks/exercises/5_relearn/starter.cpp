// Exercise 20.5, 5 minutes: is what is forgotten gone?
//
// A GPT learns to translate, then is fine-tuned on tweets alone until its translations are lost.
// Then it is trained on translations again, and beside it two that never saw any: a new GPT, and
// one that has learned tweets alone, in as many steps.
#include <cstdio>

#include "tutorials/20_one_model_many_tasks/rows.h"

using namespace tasks;

namespace {

constexpr double kRate = 5e-3;  // of the fine-tuning on tweets
const std::vector<Index> kTweets = {16, 0, 0}, kTranslations = {0, 16, 0};

}  // namespace

int main() {
  const Course course(1000, 100);
  Gpt once = new_gpt(course, 1), never = new_gpt(course, 2), tweets = new_gpt(course, 1);
  const auto teach = [&](Gpt& model, const std::vector<Index>& rows, int steps, double rate,
                         std::uint64_t seed, const std::function<void(int)>& look = {}) {
    const auto loss = [&](int step) {
      const auto [inputs, targets] = batch_of(course.draw(rows, seed, step));
      return model.loss(inputs, targets);
    };
    learn(model, steps, loss, look, rate);
  };
  const auto say = [&](const char* when) {
    std::printf("%-22s loss on translations %.2f, on tweets %.2f\n", when,
                score(once, course.held_out[1]).loss, score(once, course.held_out[0]).loss);
  };
  teach(once, kTranslations, 300, 1e-2, 1);
  say("translations learned:");
  teach(once, kTweets, 100, kRate, 2);
  say("after tweets alone:");
  teach(tweets, kTweets, 400, 1e-2, 2);
  std::printf("\nsteps on translations    forgot them  never saw any  tweets alone\n");
  std::vector<double> again, anew, after;
  const auto look = [&](std::vector<double>& list, const Gpt& model) {
    return [&](int step) {
      if (step % 25 == 0) list.push_back(score(model, course.held_out[1]).loss);
    };
  };
  teach(once, kTranslations, 101, 1e-2, 3, look(again, once));
  teach(never, kTranslations, 101, 1e-2, 3, look(anew, never));
  teach(tweets, kTranslations, 101, 1e-2, 3, look(after, tweets));
  for (std::size_t i = 0; i < again.size(); ++i) {
    std::printf("%21d %14.2f %14.2f %13.2f\n", int(25 * i), again[i], anew[i], after[i]);
  }
}

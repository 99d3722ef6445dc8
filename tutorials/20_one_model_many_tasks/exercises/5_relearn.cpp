// Exercise 20.5, 5 minutes: is what is forgotten gone?
//
// A GPT learns to translate, then is fine-tuned on tweets alone until its translations are lost.
// Then it is trained on translations again, and beside it a new GPT that never saw any.
#include <cstdio>

#include "tutorials/20_one_model_many_tasks/prompts.h"

using namespace pocket;
using namespace tasks;

namespace {

constexpr double kRate = 5e-3;  // of the fine-tuning on tweets

Batch batch_of(const std::vector<Prompt>& list, const WordTokenizer& words, Index rows, int seed,
               int step) {
  Tokens inputs, targets;
  const Index length = 20;
  for (Index i = 0; i < rows; ++i) {
    const RandomKey key{std::uint64_t(seed), std::uint32_t(step)};
    const Index which = step < 0 ? i : uniform_index(key, i, std::ssize(list));
    Tokens all = words.encode(list[std::size_t(which)].text);
    const Index asked = std::ssize(all) - 1;
    for (const auto token : words.encode(list[std::size_t(which)].answer)) all.push_back(token);
    all.push_back(0);
    for (Index t = 0; t < length; ++t) {
      const bool real = t + 1 < std::ssize(all);
      inputs.push_back(real ? all[std::size_t(t)] : 0);
      targets.push_back(real && t >= asked ? all[std::size_t(t + 1)] : -100);
    }
  }
  return {IndexTensor({rows, length}, inputs), IndexTensor({rows, length}, targets)};
}

double loss_on(const Gpt& model, const std::vector<Prompt>& list, const WordTokenizer& words) {
  const NoGrad no_grad;
  const Batch batch = batch_of(list, words, 100, 0, -1);
  return model.loss(batch.inputs, batch.targets).item();
}

void learn(Gpt& model, const std::vector<Prompt>& list, const WordTokenizer& words, int steps,
           double rate, int seed, const std::function<void(int)>& look = {}) {
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = rate, .floor = rate, .warmup = 20, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule, .before_step = look}, [&](int step) {
    const Batch batch = batch_of(list, words, 16, seed, step);
    return model.loss(batch.inputs, batch.targets);
  });
}

}  // namespace

int main() {
  const Data data(1000, 100);
  const WordTokenizer words(data);
  const auto &tweets = data.train[0], &french = data.train[1];
  GptConfig config{.vocab_size = words.vocab_size(), .n_positions = 20};
  config.n_layer = 2, config.n_head = 4, config.n_embd = 32, config.dropout = 0;
  config.position = Position::kBuckets;
  Gpt once(config, 1), never(config, 2);
  const auto loss = [&](const Gpt& model) { return loss_on(model, data.held_out[1], words); };
  const auto say = [&](const char* when) {
    std::printf("%-22s loss on translations %.2f, on tweets %.2f\n", when, loss(once),
                loss_on(once, data.held_out[0], words));
  };
  learn(once, french, words, 300, 1e-2, 1);
  say("translations learned:");
  learn(once, tweets, words, 100, kRate, 2);
  say("after tweets alone:");
  std::printf("\nsteps on translations    forgot them  never saw any\n");
  std::vector<double> again, anew;
  const auto look = [&](std::vector<double>& list, const Gpt& model) {
    return [&](int step) {
      if (step % 25 == 0) list.push_back(loss(model));
    };
  };
  learn(once, french, words, 101, 1e-2, 3, look(again, once));
  learn(never, french, words, 101, 1e-2, 3, look(anew, never));
  for (std::size_t i = 0; i < again.size(); ++i) {
    std::printf("%21d %14.2f %14.2f\n", int(25 * i), again[i], anew[i]);
  }
}

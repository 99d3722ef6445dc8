// Exercise 15.5, 5 minutes: can a GPT memorise nonsense?
//
// The second test before training gave a model four rows of the tales. Here, a second model gets
// rows of random characters, which follow no rule at all. Which losses do you expect after 150
// steps, for the batch that each model has learned and for another batch of the same kind?
#include <cstdio>

#include "tutorials/pocket/gpt.h"

using namespace pocket;

int main() {
  const std::string text = read_text(COURSE_TALES);  // the build says where they are
  const CharTokenizer characters = CharTokenizer::learn(text);
  const Index vocab = characters.vocab_size();
  const Tokens tales = characters.encode(text);
  Tokens nonsense;
  for (Index i = 0; i < std::ssize(tales); ++i) {
    nonsense.push_back(static_cast<std::int32_t>(uniform_index({.seed = 9}, i, vocab)));
  }
  for (const bool sense : {true, false}) {
    const Tokens& tokens = sense ? tales : nonsense;
    Gpt model({.vocab_size = vocab, .n_positions = 24, .n_layer = 2, .n_head = 4, .n_embd = 32});
    const Batch batch = random_batch(tokens, 2, 24, {.seed = 1});
    const Batch other = random_batch(tokens, 2, 24, {.seed = 2});
    AdamW optimiser(parameters(model), {.weight_decay = 0});
    const Schedule constant{.rate = 6e-3, .floor = 6e-3, .warmup = 0};
    train(optimiser, {.steps = 150, .schedule = constant},
          [&](int) { return model.loss(batch.inputs, batch.targets); });
    std::printf("%-8s  this batch %.2f, another batch %.2f\n", sense ? "tales" : "nonsense",
                double{model.loss(batch.inputs, batch.targets).item()},
                double{model.loss(other.inputs, other.targets).item()});
  }
}

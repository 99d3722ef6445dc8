// Exercise 13.6: where rotary falls.
//
// The page's model of *the letter before*, from one seed. Before you run it: trained on 16
// positions, where does it fall below one half with base 1000, and with base 4000? And trained on
// 48 positions with base 10000: does it still fall at 39, or earlier, later, or never?
#include <cstdio>

#include "tutorials/pocket/position.h"

using namespace pocket;

Batch letter_before(Index rows, Index length, const RandomKey& key) {
  Tokens inputs, targets;
  for (Index i = 0; i < rows * length; ++i) {
    targets.push_back(i % length > 0 ? inputs.back() : -100);
    inputs.push_back(static_cast<std::int32_t>(uniform_index(key, i, 8)));
  }
  return {IndexTensor({rows, length}, inputs), IndexTensor({rows, length}, targets)};
}

struct Model {
  int trained, base;  // the positions of a training row, and rotary's base
};

int main() {
  const Index longest = 64;
  std::printf("trained on   base   half a turn of pair 1, plus 7   first below 0.99   below 0.5\n");
  for (const auto& model : {Model{16, 1000}, {16, 4000}, {16, 10000}, {48, 10000}}) {
    KeySequence keys(1);
    Embedding letters(8, 32, keys);
    MultiHeadAttention attention(32, 4, keys, {});
    Linear output(32, 8, keys);
    const Tensor table = rotary_table(longest, 8, model.base);
    attention.rotate = [=](const Tensor& x, Index first) { return rotary(x, table, first); };
    const auto logits = [&](const IndexTensor& tokens) {
      const Tensor x = letters(tokens);
      return output(attention(x, x, {.causal = true}));
    };
    std::vector<NamedTensor> all = parameters(letters);
    for (const NamedTensor& p : parameters(attention)) all.push_back(p);
    for (const NamedTensor& p : parameters(output)) all.push_back(p);
    AdamW optimiser(all, {.weight_decay = 0});
    const Schedule schedule{.rate = 0.01, .floor = 0.001, .warmup = 10, .decay = 200};
    train(optimiser, {.steps = 200, .schedule = schedule}, [&](int step) {
      const Batch batch = letter_before(4, model.trained, {1, static_cast<std::uint32_t>(step)});
      return cross_entropy(logits(batch.inputs), batch.targets);
    });
    const NoGrad no_grad;
    const Batch test = letter_before(200, longest, {.seed = 999});
    const IndexTensor answers = argmax(logits(test.inputs), -1);
    std::vector<double> right(longest);
    for (Index i = 0; i < test.targets.size(); ++i) {
      right[i % longest] += (answers.data()[i] == test.targets.data()[i]) / 200.0;
    }
    const auto first_below = [&](double share) {
      Index t = 1;
      while (t < longest && right[t] >= share) ++t;
      return int(t);
    };
    std::printf("%10d %6d %31.1f %18d %11d\n", model.trained, model.base,
                3.14159265 * std::pow(model.base, 0.25) + 7, first_below(0.99), first_below(0.5));
  }
}

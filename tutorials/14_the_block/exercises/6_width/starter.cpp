// Exercise 14.6: the use of the activation and of the width.
//
// A network learns to multiply neighbouring channels, y_c = x_c x_(c + 1), with C = 8. The answer
// 0 for every input has an error of 1. Before you run it: which of these six come below 0.5, in the
// mean of five seeds?
#include <cstdio>

#include "tutorials/pocket/block.h"

using namespace pocket;

namespace {

using Activation = Tensor (*)(const Tensor&);

Tensor none(const Tensor& x) { return x; }

Tensor products(const Tensor& x) { return x * concat({slice(x, 1, 1), slice(x, 1, 0, 1)}, 1); }

double error_of(Activation activation, Index width, std::uint64_t seed) {
  KeySequence keys(seed);
  FeedForward network(8, width, keys);
  AdamW optimiser(parameters(network), {.weight_decay = 0});
  const auto loss_of = [&](const RandomKey& key, Index rows) {
    const Tensor x = normal({rows, 8}, key);
    const Tensor error = network.c_proj(activation(network.c_fc(x))) - products(x);
    return mean(error * error);
  };
  const TrainOptions options{.steps = 300,
                             .schedule = {.rate = 0.02, .floor = 0.001, .decay = 300}};
  train(optimiser, options, [&](int step) {
    return loss_of({seed, static_cast<std::uint32_t>(step)}, 32);
  });
  const NoGrad no_grad;
  return loss_of({.seed = 99}, 1000).item();
}

}  // namespace

int main() {
  std::printf("inner width      none   ReLU   GELU\n");
  for (const Index width : {8, 32}) {
    std::printf("%11d", static_cast<int>(width));
    for (const Activation activation : {none, relu, gelu}) {
      double total = 0;
      for (std::uint64_t seed = 1; seed <= 5; ++seed) total += error_of(activation, width, seed);
      std::printf("%9.2f", total / 5);
    }
    std::printf("\n");
  }
}

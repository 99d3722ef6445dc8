// A program that includes only gradus/nn.h: a tiny GPT memorises one sequence and writes it.

#include <cstdio>

#include "gradus/nn.h"

int main() {
  using namespace gradus;
  Gpt gpt({.vocab_size = 5, .n_positions = 8, .n_layer = 1, .n_head = 2, .n_embd = 16}, 1);
  AdamW optimiser(parameters(gpt), {.learning_rate = 0.01});
  for (int step = 0; step < 60; ++step) {
    optimiser.zero_grad();
    backward(gpt.loss(indices({{0, 3, 1, 4}}), indices({{3, 1, 4, 2}})));
    optimiser.step();
  }
  for (const auto token : generate(gpt, {0}, 4, {.temperature = 0}, {})) std::printf("%d ", token);
}

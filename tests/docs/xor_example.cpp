// The second program of README.md. programs_test.py checks that the page, this code and its output
// agree.

// [example]
#include <iostream>

#include "gradus/nn.h"

using namespace gradus;

struct Net {            // not in a function: a local struct cannot have a template (`fields`)
  KeySequence keys{1};  // the seed of the initial weights
  Linear hidden{2, 8, keys}, out{8, 2, keys};
  Tensor operator()(const Tensor& x) const { return out(tanh(hidden(x))); }
  void fields(auto&& f) { f("hidden", hidden), f("out", out); }
};

int main() {
  const Tensor points = tensor({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const std::vector<int> labels = {0, 1, 1, 0};
  Net net;
  AdamW optimiser(parameters(net), {.learning_rate = 0.05});
  for (int step = 0; step < 200; ++step) {
    optimiser.zero_grad();
    backward(cross_entropy(net(points), indices(labels)));
    optimiser.step();
  }
  std::cout << argmax(net(points), -1) << '\n';  // [0 1 1 0]
}
// [example]

// The example of README.md: readme_test.py holds its text, this code and what it prints together.

// [example]
#include <iostream>

#include "gradus/engine.h"

int main() {
  using namespace gradus;
  const Tensor x = tensor({{1, 2}, {3, 4}});
  const Tensor w = tensor({{0.5}, {-0.25}}).set_requires_grad();
  const Tensor y = tanh(matmul(x, w));  // [2, 2] [2, 1] to [2, 1]
  const Tensor loss = mean(y * y);
  const Tensor g = grad({loss}, {w}, {.create_graph = true})[0];  // d loss / d w
  backward(sum(g * g));                                           // and its gradient, once more
  std::cout << y << '\n' << loss << '\n' << g << '\n' << w.grad() << '\n';
}
// [example]

// The first program of README.md. programs_test.py checks that the page, this code and its output
// agree.

// [example]
#include <iostream>

#include "gradus/engine.h"

using namespace gradus;

Tensor softplus(const Tensor& x) {  // an op of your own: log(1 + exp(x)), with dx = dy sigmoid(x)
  const Tensor y = log(1 + exp(x.detach()));
  return record("softplus", y, {x}, [x = Saved(x)](const Tensor& dy) { return dy * sigmoid(x); });
}

int main() {
  const Tensor x = tensor({{1, 2}, {3, 4}});
  const Tensor w = tensor({{0.5}, {-0.25}}).set_requires_grad();
  const Tensor loss = mean(softplus(matmul(x, w)));               // [2, 2] [2, 1] to [2, 1] to []
  const Tensor g = grad({loss}, {w}, {.create_graph = true})[0];  // d loss / d w
  backward(sum(g * g));                                           // the gradient of a gradient
  std::cout << loss << '\n' << g << '\n' << w.grad() << '\n';
  if (sizeof(Scalar) == 8) {  // in double, a gradient can be compared with finite differences
    check_gradient([](const auto& x) { return softplus(x[0]); }, {{2, 3}});
  }
}
// [example]

// Exercise 26.2, 10 minutes: where must a pair start?
//
// W is frozen. The targets come from W plus a matrix of rank 2, and a pair of rank 2 learns the
// difference from 64 rows of x, with AdamW and 400 steps. A and B start as 0 or with random
// numbers.
//
// Predict for each start: is the first loss the loss of W alone? Are the first gradients of A and B
// 0? Is the last loss near 0?
#include <cstdio>

#include "tutorials/pocket/lora.h"

using namespace pocket;

namespace {

constexpr Index kIn = 12, kOut = 10, kRank = 2;

double size_of(const Tensor& gradient) {
  double squares = 0;
  if (!gradient.defined()) return 0;
  for (const Scalar g : gradient) squares += double{g} * double{g};
  return std::sqrt(squares);
}

}  // namespace

int main() {
  const Tensor weight = normal({kIn, kOut}, {1}), x = normal({64, kIn}, {2});
  const Tensor change = matmul(normal({kIn, 2}, {3}), normal({2, kOut}, {4})) * Scalar(0.3);
  const Tensor wanted = matmul(x, weight + change);
  const auto loss_of = [&](const Tensor& y) { return mean((y - wanted) * (y - wanted)); };
  std::printf("W alone: loss %.2f\n", double{loss_of(matmul(x, weight)).item()});
  std::printf("A       B       first loss  gradients of A and B  last loss\n");
  for (const bool a_random : {true, false}) {
    for (const bool b_random : {false, true}) {
      KeySequence keys(5);
      LowRank pair(kIn, kOut, {.rank = kRank}, keys);
      const Tensor start = normal({kRank, kOut}, keys.next());
      if (!a_random) pair.a = zeros({kIn, kRank}).set_requires_grad();
      if (b_random)
        pair.b = tensor(start.shape(), {start.begin(), start.end()}).set_requires_grad();
      const Tensor first = loss_of(pair.beside(weight, x));
      backward(first);
      const double of_a = size_of(pair.a.grad()), of_b = size_of(pair.b.grad());
      AdamW optimiser(parameters(pair), {.weight_decay = 0});
      const Schedule schedule{.rate = 3e-2, .floor = 1e-3, .warmup = 10, .decay = 400};
      train(optimiser, {.steps = 400, .schedule = schedule},
            [&](int) { return loss_of(pair.beside(weight, x)); });
      std::printf("%-7s %-7s %10.2f %14.1f %6.1f %10.2f\n", a_random ? "random" : "0",
                  b_random ? "random" : "0", double{first.item()}, of_a, of_b,
                  double{loss_of(pair.beside(weight, x)).item()});
    }
  }
}

// Exercise 07.4: the loss at the start
#include <cstdio>

#include "tutorials/pocket/ops.h"
#include "tutorials/pocket/random.h"

using namespace pocket;

int main() {
  std::printf("     V    spread 0    spread 1   spread 10\n");
  for (const Index vocab : {2, 59, 50257}) {
    const Index n = std::min(Index{1000}, 1000000 / vocab);
    std::vector<std::int32_t> targets(n);
    for (Index i = 0; i < n; ++i) targets[i] = int(uniform_index({.seed = 1}, i, vocab));
    const Tensor logits = normal({n, vocab}, {.seed = 2});
    std::printf("%6d", int(vocab));
    for (const double spread : {0.0, 1.0, 10.0}) {
      const Tensor x = logits * Scalar(spread);
      std::printf("  %10.3f", cross_entropy(x, IndexTensor({n}, targets)).item());
    }
    std::printf("\n");
  }
}

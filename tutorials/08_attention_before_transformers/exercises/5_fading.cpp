// Exercise 08.5: fade or explode
#include <cstdio>

#include "tutorials/pocket/recurrent.h"

using namespace pocket;

int main() {
  std::printf("W times   gradient 1 step back   10 back   20 back\n");
  for (const double factor : {0.5, 1.0, 1.5, 2.0}) {
    double norms[3] = {};
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      KeySequence keys(seed);
      RecurrentLayer rnn(RecurrentKind::kRnn, 32, 32, keys);
      rnn.hh.weight = rnn.hh.weight.detach() * Scalar(factor);  // from state to state
      Tensor x = normal({1, 21, 32}, keys.next(), 0, Scalar(0.1)).set_requires_grad();
      backward(sum(slice(rnn(x), 1, -1) * normal({1, 1, 32}, keys.next())));
      for (int k = 0; k < 3; ++k) {
        const Tensor row = slice(x.grad(), 1, 20 - std::max(1, 10 * k), 21 - std::max(1, 10 * k));
        norms[k] += std::sqrt(sum(row * row).item()) / 5;
      }
    }
    std::printf("%7.1f  %21.1e %9.1e %9.1e\n", factor, norms[0], norms[1], norms[2]);
  }
}

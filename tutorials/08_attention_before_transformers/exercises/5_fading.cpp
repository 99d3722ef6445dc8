// Exercise 08.5: fade, explode or keep
#include <cstdio>
#include <functional>

#include "tutorials/pocket/recurrent.h"

using namespace pocket;

/// Means of five seeds: the gradient of the last state by the inputs 1, 10 and 20 steps back.
void print_reach(RecurrentKind kind, const std::function<void(RecurrentLayer&)>& change) {
  double norms[3] = {};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    KeySequence keys(seed);
    RecurrentLayer layer(kind, 32, 32, keys);
    change(layer);
    Tensor x = normal({1, 21, 32}, keys.next(), 0, Scalar(0.1)).set_requires_grad();  // size 0.1
    backward(sum(slice(layer(x), 1, -1) * normal({1, 1, 32}, keys.next())));
    for (int k = 0; k < 3; ++k) {
      const Tensor row = slice(x.grad(), 1, 20 - std::max(1, 10 * k), 21 - std::max(1, 10 * k));
      norms[k] += std::sqrt(sum(row * row).item()) / 5;
    }
  }
  std::printf("  1 back %.1e   10 back %.1e   20 back %.1e\n", norms[0], norms[1], norms[2]);
}

int main() {
  for (const double factor : {0.5, 1.0, 2.0}) {
    std::printf("plain, W times %.1f ", factor);
    print_reach(RecurrentKind::kRnn, [&](RecurrentLayer& layer) {
      layer.hh.weight = layer.hh.weight.detach() * Scalar(factor);  // from state to state
    });
  }
  for (const int bias : {0, 2, 4}) {
    std::printf("GRU, keep's bias %d ", bias);
    print_reach(RecurrentKind::kGru, [&](RecurrentLayer& layer) {
      std::fill_n(layer.ih.bias.mutable_data() + 32, 32, Scalar(bias));  // of the second gate
    });
  }
}

// Exercise 08.5, 15 minutes: fade, explode or keep
//
// Guess before you run. In a plain network, the matrix W from state to state is multiplied by 0.5,
// 1 and 2. At how many of 100 seeds is the gradient smaller 20 steps back than 1 step back? At how
// many without tanh, with W unchanged? In a GRU, the gates "keep" have a bias of 0, 2 and 4, so
// that k is about 0.5, 0.88 and 0.98. What share of the gradient at 1 step back is left at 20? And
// what does a large k cost at 1 step back?
#include <algorithm>
#include <cstdio>
#include <functional>

#include "tutorials/pocket/recurrent.h"

using namespace pocket;

/// 100 seeds: the norm of the last state's gradient with respect to the inputs 1 and 20 steps back.
void print_reach(RecurrentKind kind, const std::function<void(RecurrentLayer&)>& change,
                 bool with_tanh = true) {
  std::vector<double> near, far;
  int smaller = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    KeySequence keys(seed);
    RecurrentLayer layer(kind, 32, 32, keys);
    change(layer);
    Tensor x = normal({1, 21, 32}, keys.next(), 0, Scalar(0.1)).set_requires_grad();  // size 0.1
    Tensor state = zeros({1, 1, 32});
    for (const Tensor& from_x : split(layer.ih(x), 21, 1)) {
      state = with_tanh ? layer.step_from(from_x, state) : from_x + layer.hh(state);
    }
    backward(sum(state * normal({1, 1, 32}, keys.next())));
    const auto norm = [&](Index back) {
      const Tensor row = slice(x.grad(), 1, 20 - back, 21 - back);
      return double(std::sqrt(sum(row * row).item()));
    };
    near.push_back(norm(1)), far.push_back(norm(20));
    smaller += far.back() < near.back();
  }
  std::sort(near.begin(), near.end()), std::sort(far.begin(), far.end());
  std::printf("1 back %.2g, 20 back %.2g (%.2g to %.2g)  smaller in %d\n", near[50], far[50],
              far[0], far[99], smaller);
}

int main() {
  std::printf("medians of 100 seeds, and the range at 20\n");
  for (const double factor : {0.5, 1.0, 2.0}) {
    std::printf("plain, W times %.1f  ", factor);
    print_reach(RecurrentKind::kRnn, [&](RecurrentLayer& layer) {
      layer.hh.weight = layer.hh.weight.detach() * Scalar(factor);  // from state to state
    });
  }
  std::printf("plain, no tanh      ");
  print_reach(
      RecurrentKind::kRnn, [](RecurrentLayer&) {}, false);
  for (const int bias : {0, 2, 4}) {
    std::printf("GRU, keep's bias %d  ", bias);
    print_reach(RecurrentKind::kGru, [&](RecurrentLayer& layer) {
      std::fill_n(layer.ih.bias.mutable_data() + 32, 32, Scalar(bias));  // of the second gate
    });
  }
}

// Exercise 10.5, 5 minutes: without all heads of a kind.
//
// A copier of two layers of four heads is trained with a seed that the page does not show. A
// previous-word head has more than half of its weight on the previous word, an induction head more
// than half on the successors. The program switches off sets of heads and prints the share of
// right answers. Put the first four lines in order before you run it. And will the last weight be
// smaller than the one above it?
#include <cstdio>

#include "tutorials/10_multi_head_attention/copier.h"

using namespace pocket;

constexpr std::uint64_t kSeed = 7;  // try others

int main() {
  const Rounds test(200, {.seed = 1000});
  Copier model = trained(2, 4, kSeed);
  const NoGrad no_grad;
  std::vector<Tensor> weights;
  model(test.tokens, &weights);
  std::vector<Index> kind[2], others[2];  // in layer 1 and 2
  for (const int layer : {0, 1}) {
    for (Index h = 0; h < 4; ++h) {
      const auto [previous, successor] = habits(weights[layer], h, test);
      ((layer == 0 ? previous : successor) > 0.5 ? kind : others)[layer].push_back(h);
    }
  }
  const auto share = [&] { return right(model, test); };
  const auto print = [&](const char* what, int layer, const std::vector<Index>& heads) {
    std::printf("%-26s (%d)  right %.2f\n", what, static_cast<int>(heads.size()),
                without(model, layer, heads, share));
  };
  print("without one previous-word", 0, {kind[0][0]});
  print("without all previous-word", 0, kind[0]);
  print("without layer 1's others", 0, others[0]);
  print("without all successor", 1, kind[1]);
  std::printf("layer 2's largest weight on successors: %.2f\n", best_successor(model, test));
  std::printf("without all previous-word heads:        %.2f\n",
              without(model, 0, kind[0], [&] { return best_successor(model, test); }));
}

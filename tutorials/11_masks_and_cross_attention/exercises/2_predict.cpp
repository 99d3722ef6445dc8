// Exercise 11.2, 5 minutes: padding on the left.
//
// "Good night" is padded on the left, and both masks are on. Before you run it, write down the
// four rows of weights: which are 0, which are 1, and what does each row sum to?
#include <cstdio>

#include "tutorials/pocket/attention.h"

using namespace pocket;

int main() {
  const IndexTensor tokens = indices({{0, 0, 5, 6}});  // - - Good night
  const Tensor q = normal({1, 1, 4, 3}, {.seed = 5}), k = normal({1, 1, 4, 3}, {.seed = 6});
  const AttentionOptions options{.mask = padding_mask(tokens, 0), .causal = true};
  const Tensor weights = attention_weights(q, k, options);
  const char* names[] = {"-", "-", "Good", "night"};
  for (Index t = 0; t < 4; ++t) {
    std::printf("%-6s", names[t]);
    for (Index s = 0; s < 4; ++s) std::printf(" %5.2f", double{weights.data()[t * 4 + s]});
    std::printf("   sum %.2f\n", double{sum(slice(weights, 2, t, t + 1)).item()});
  }
}

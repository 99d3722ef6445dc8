#include "autograd/ops/attention.h"
#include "pocket/attention.h"
#include "tutorials/common/compare.h"

using namespace gradus;

namespace {

Tensor mine(const std::vector<Tensor>& x) {
  return as_library(pocket::attention_weights(own(x[0]), own(x[1])));
}

}  // namespace

int main() {
  return run_check([] {
    const Tensor q = normal({3, 4}, {.seed = 1}, 0, 2), k = normal({5, 4}, {.seed = 2}, 0, 2);
    expect("weights of 3 queries over 5 keys", mine({q, k}), attention_weights(q, k));
    expect_everywhere(
        "weights", {{3, 5, 4}, {2, 2, 9}, {4, 1, 16}, {2, 4, 3}, {3, 2, 5}},
        [](const std::vector<Index>& n, Scalar scale) -> std::vector<Tensor> {
          return {normal({2, 3, n[0], n[2]}, {.seed = 4}, 0, scale),
                  normal({2, 3, n[1], n[2]}, {.seed = 5}, 0, scale)};
        },
        mine, [](const std::vector<Tensor>& x) { return attention_weights(x[0], x[1]); }, "", 30);
    compare(
        "3 queries and 5 keys", {q, k},
        [](const auto& x) { return pocket::attention_weights(x[0], x[1]); },
        [](const auto& x) { return attention_weights(x[0], x[1]); });
  });
}

#include "tutorials/common/check.h"

#include "pocket/llama.h"
#include "tutorials/common/compare.h"

namespace {

using namespace pocket;

/// By the definition: a product for each head.
Tensor by_head(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Index heads = q.size(1), groups = k.size(1);
  std::vector<Tensor> all;
  for (Index h = 0; h < heads; ++h) {
    const Index g = h / (heads / groups);
    all.push_back(scaled_dot_product_attention(slice(q, 1, h, h + 1), slice(k, 1, g, g + 1),
                                               slice(v, 1, g, g + 1), {.causal = true}));
  }
  return concat(all, 1);
}

struct Sizes {
  Index b, h, g, t, s, d;
};

void check_at(const Sizes& n, Scalar scale) {
  const std::string what = std::to_string(n.h) + " heads of queries, " + std::to_string(n.g) +
                           " of keys, T " + std::to_string(n.t) + ", S " + std::to_string(n.s) +
                           (scale > 1 ? ", large scores" : "");
  const auto leaves = [&] {
    return std::vector<Tensor>{
        normal({n.b, n.h, n.t, n.d}, {.seed = 1}, 0, scale).set_requires_grad(),
        normal({n.b, n.g, n.s, n.d}, {.seed = 2}).set_requires_grad(),
        normal({n.b, n.g, n.s, n.d}, {.seed = 3}).set_requires_grad()};
  };
  const auto x = leaves(), same = leaves();
  const Index before = nodes_made;
  const Tensor mine =
      gradus::unchanged(what, x, [&] { return grouped_attention(x[0], x[1], x[2]); });
  const Index made = nodes_made - before;
  const Tensor right = by_head(same[0], same[1], same[2]);
  gradus::expect(what, gradus::as_library(mine), gradus::as_library(right));
  if (made > 30) {
    gradus::red(what + ": " + std::to_string(made) +
                " nodes were recorded: one product for each group or head"
                "\nlikely cause: the batch of matrices can hold all groups at once");
  }
  const Tensor weights = normal(right.shape(), {.seed = 4});
  backward(right, weights);
  if (mine.requires_grad()) backward(mine, weights);
  for (int i = 0; i < 3; ++i) {
    gradus::expect_gradient(what + ": the gradient of argument " + std::to_string(i + 1), x[i],
                            gradus::as_library(same[i].grad()), 1e-3);
  }
}

}  // namespace

int main() {
  return gradus::run_check([] {
    for (const Scalar scale : {1, 30}) {
      check_at({2, 6, 3, 4, 4, 3}, scale);
      check_at({1, 6, 2, 3, 3, 5}, scale);
      check_at({1, 4, 1, 3, 7, 5}, scale);  // with a cache
      check_at({3, 4, 4, 3, 3, 2}, scale);
      check_at({1, 6, 2, 1, 4, 4}, scale);
    }
  });
}

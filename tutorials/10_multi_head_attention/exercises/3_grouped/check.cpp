#include "tutorials/common/check.h"

#include "tutorials/10_multi_head_attention/exercises.h"

namespace {

/// By the definition: a product for each head.
Tensor by_head(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Index heads = q.size(1), groups = k.size(1);
  std::vector<Tensor> all;
  for (Index h = 0; h < heads; ++h) {
    const Index g = h / (heads / groups);
    all.push_back(scaled_dot_product_attention(slice(q, 1, h, h + 1), slice(k, 1, g, g + 1),
                                               slice(v, 1, g, g + 1)));
  }
  return concat(all, 1);
}

struct Sizes {
  Index b, h, g, t, s, d, e;
};

}  // namespace

int main() {
  using gradus::as_library, gradus::expect, gradus::red;
  return gradus::run_check([] {
    for (const Scalar scale : {1, 30}) {
      for (const Sizes& n : {Sizes{2, 6, 3, 4, 5, 3, 2},
                             {1, 4, 1, 2, 7, 5, 5},
                             {3, 4, 4, 3, 3, 2, 6},
                             {1, 6, 2, 1, 4, 4, 4}}) {
        const std::string what = std::to_string(n.h) + " heads of queries, " + std::to_string(n.g) +
                                 " of keys" + (scale > 1 ? ", large scores" : "");
        const auto leaves = [&] {
          return std::vector<Tensor>{
              normal({n.b, n.h, n.t, n.d}, {.seed = 1}, 0, scale).set_requires_grad(),
              normal({n.b, n.g, n.s, n.d}, {.seed = 2}).set_requires_grad(),
              normal({n.b, n.g, n.s, n.e}, {.seed = 3}).set_requires_grad()};
        };
        const auto x = leaves(), same = leaves();
        const Index before = nodes_made;
        const Tensor mine = grouped_attention(x[0], x[1], x[2]);
        const Index made = nodes_made - before;
        const Tensor right = by_head(same[0], same[1], same[2]);
        expect(what, as_library(mine), as_library(right));
        if (made > 30) {
          red(what + ": " + std::to_string(made) +
              " nodes were recorded: one product for each group or head"
              "\nlikely cause: the batch of matrices can hold all groups at once");
        }
        const Tensor weights = normal(right.shape(), {.seed = 4});
        backward(right, weights);
        if (mine.requires_grad()) backward(mine, weights);
        for (int i = 0; i < 3; ++i) {
          gradus::expect_gradient(what + ": the gradient by argument " + std::to_string(i + 1),
                                  x[i], as_library(same[i].grad()), 1e-3);
        }
      }
    }
  });
}

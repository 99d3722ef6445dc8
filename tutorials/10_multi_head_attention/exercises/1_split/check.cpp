#include "autograd/ops/index.h"
#include "autograd/ops/shape.h"
#include "pocket/attention.h"
#include "tutorials/common/compare.h"

using namespace gradus;

namespace {

Tensor right(const Tensor& x, Index heads) {
  return permute(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), {0, 2, 1, 3});
}

}  // namespace

CHECK_ANSWER() {
  const Tensor x = reshape(arange(2 * 3 * 8), {2, 3, 8});
  expect("x [2, 3, 8], 4 heads", as_library(pocket::split_heads(own(x), 4)), right(x, 4));
  for (const Index heads : {1, 3, 12}) {
    const Tensor y = normal({3, 5, 12}, {.seed = 1});
    expect("x [3, 5, 12], " + std::to_string(heads) + " heads",
           as_library(pocket::split_heads(own(y), heads)), right(y, heads));
  }
  compare(
      "x [2, 3, 8], 4 heads, once more", {x},
      [](const auto& x) { return pocket::split_heads(x[0], 4); },
      [](const auto& x) { return right(x[0], 4); });
}

#include "tutorials/common/check.h"

#include "autograd/ops/index.h"
#include "autograd/ops/shape.h"
#include "pocket/attention.h"
#include "tutorials/common/guards.h"

using namespace gradus;

namespace {

pocket::Tensor own(const Tensor& x) {
  return pocket::tensor(pocket::Shape(x.shape().begin(), x.shape().end()), {x.begin(), x.end()});
}

Tensor right(const Tensor& x, Index heads) {
  return permute(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), {0, 2, 1, 3});
}

}  // namespace

int main() {
  return run_check([] {
    const Tensor x = reshape(arange(2 * 3 * 8), {2, 3, 8});
    expect("x [2, 3, 8], 4 heads", as_library(pocket::split_heads(own(x), 4)), right(x, 4),
           {{reshape(x, {2, 4, 3, 2}),
             "reshaped without a permutation: it cuts memory where it lies, across tokens"},
            {permute(reshape(x, {2, 3, 2, 4}), {0, 3, 1, 2}),
             "every H-th channel went to a head; a head is D channels side by side"},
            {permute(reshape(x, {2, 3, 4, 2}), {0, 1, 2, 3}),
             "the heads must come before the positions"},
            {permute(reshape(x, {2, 3, 2, 4}), {0, 2, 1, 3}),
             "`heads` is how many there are, not how wide one is"},
            {permute(reshape(x, {2, 3, 4, 2}), {0, 2, 3, 1}),
             "positions and channels of a head have changed places: [B, H, T, D]"}});
    for (const Index heads : {1, 3, 12}) {
      const Tensor y = normal({3, 5, 12}, {.seed = 1});
      expect("x [3, 5, 12], " + std::to_string(heads) + " heads",
             as_library(pocket::split_heads(own(y), heads)), right(y, heads));
    }
    pocket::Tensor leaf = own(x).set_requires_grad();
    const pocket::Tensor y = pocket::split_heads(leaf, 4);
    const Tensor weights = normal({2, 4, 3, 2}, {.seed = 2});
    if (y.requires_grad()) pocket::backward(y, own(weights));
    const Tensor back = reshape(permute(weights, {0, 2, 1, 3}), {2, 3, 8});
    expect("the gradient", leaf.grad().defined() ? as_library(leaf.grad()) : zeros({2, 3, 8}), back,
           {{zeros({2, 3, 8}), "it is cut: a detach(), or numbers copied out of the graph"},
            kResultIsRight});
  });
}

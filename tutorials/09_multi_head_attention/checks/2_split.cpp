#include "autograd/graph.h"
#include "autograd/ops/reduce.h"
#include "tutorials/09_multi_head_attention/exercises.h"
#include "tutorials/common/check.h"

int main() {
  return run_check([] {
    const Tensor x = reshape(arange(2 * 3 * 8), {2, 3, 8});
    Tensor expected(Shape{2, 4, 3, 2});
    for (Index b = 0; b < 2; ++b)
      for (Index h = 0; h < 4; ++h)
        for (Index t = 0; t < 3; ++t)
          for (Index d = 0; d < 2; ++d)
            expected.mutable_data()[((b * 4 + h) * 3 + t) * 2 + d] = x.at({b, t, h * 2 + d});
    expect("x [2, 3, 8], 4 heads", my_split_heads(x, 4), expected,
           {{reshape(x, {2, 4, 3, 2}),
             "reshaped without a permutation: it cuts memory where it lies, across tokens"},
            {permute(reshape(x, {2, 3, 2, 4}), {0, 3, 1, 2}),
             "every H-th channel went to a head; a head is D channels side by side"}});
    Tensor leaf = x.clone().set_requires_grad();
    backward(sum(my_split_heads(leaf, 2)));
    if (!is_close(leaf.grad(), ones(x.shape())))
      red("the gradient does not reach every number once");
    green("every number has one place, and its gradient comes back");
  });
}

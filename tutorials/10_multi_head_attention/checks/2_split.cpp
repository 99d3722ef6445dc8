#include "autograd/graph.h"
#include "autograd/ops/reduce.h"
#include "tutorials/10_multi_head_attention/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/guards.h"

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
    const Tensor y = reshape(arange(2 * 3 * 12), {2, 3, 12});
    const auto split = [](const std::vector<Tensor>& x) {
      const Index b = x[0].size(0), t = x[0].size(1);
      return permute(reshape(x[0], {b, t, 3, x[0].size(2) / 3}), {0, 2, 1, 3});
    };
    expect("x [2, 3, 12], 3 heads", my_split_heads(y, 3), split({y}));
    expect("x [2, 3, 12], 1 head", my_split_heads(y, 1), reshape(y, {2, 1, 3, 12}));
    expect_gradients(
        "x [2, 3, 12], 3 heads", {y},
        [](const std::vector<Tensor>& x) { return my_split_heads(x[0], 3); }, split);
  });
}

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

Tensor fused_softmax(const Tensor& x) {
  const Index n = x.size(-1);
  Tensor y(x.shape());
  for (Index row = 0; row < x.size(); row += n) {
    const Scalar* from = x.data() + row;
    Scalar* to = y.mutable_data() + row;
    const Scalar largest = std::max(*std::max_element(from, from + n), Scalar(-1e30));
    const Scalar total = std::max(exp_row(from, largest, to, n), Scalar(1));
    for (Index i = 0; i < n; ++i) to[i] /= total;
  }
  return record("softmax", y, {x}, [y = y.detach(), n](const Tensor& dy) -> Gradients {
    Tensor dx(y.shape());
    Scalar* to = dx.mutable_data();
    for (Index row = 0; row < y.size(); row += n) {
      const Scalar *p = y.data() + row, *dp = dy.data() + row;
      const Scalar mixed = row_dot(p, dp, n);
      for (Index i = 0; i < n; ++i) to[row + i] = p[i] * (dp[i] - mixed);
    }
    return {dx};
  });
}

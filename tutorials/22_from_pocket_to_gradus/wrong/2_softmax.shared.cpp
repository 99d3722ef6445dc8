// rejected: they share what is saved
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

Tensor fused_softmax(const Tensor& x) {
  const Index n = x.size(-1);
  static Tensor p;
  Tensor y(x.shape());
  for (Index row = 0; row < x.size(); row += n) {
    const Scalar* from = x.data() + row;
    Scalar* to = y.mutable_data() + row;
    const Scalar largest = std::max(*std::max_element(from, from + n), Scalar(-1e30));
    const Scalar total = std::max(exp_row(from, largest, to, n), Scalar(1));
    for (Index i = 0; i < n; ++i) to[i] /= total;
  }
  p = y.detach();
  return record("softmax", y, {x}, [n](const Tensor& dy) -> Gradients {
    Tensor dx(p.shape());
    Scalar* to = dx.mutable_data();
    for (Index row = 0; row < p.size(); row += n) {
      const Scalar *of = p.data() + row, *dp = dy.data() + row;
      const Scalar mixed = row_dot(of, dp, n);
      for (Index i = 0; i < n; ++i) to[row + i] = of[i] * (dp[i] - mixed);
    }
    return {dx};
  });
}

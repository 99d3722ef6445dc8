// rejected: backward took
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
  return record("softmax", y, {x}, [y = y.detach()](const Tensor& dy) -> Gradients {
    return {y * (dy - sum(y * dy, -1, {.keepdim = true}))};
  });
}

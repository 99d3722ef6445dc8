#include <cmath>

#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/vector_math.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/one_pass.h"

namespace gradus {

Tensor exp(const Tensor& x) {
  Tensor y = elementwise("exp", x, [](Scalar v) { return exp_of(v); });
  return record("exp", y, {x},
                [](const Tensor& dy, const Tensor& y) -> Gradients { return {dy * y}; });
}

Tensor log(const Tensor& x) {
  Tensor y = elementwise("log", x, [](Scalar v) { return log_of(v); });
  return record("log", y, {x}, [x](const Tensor& dy) -> Gradients { return {dy / x}; });
}

Tensor sqrt(const Tensor& x) {
  Tensor y = elementwise("sqrt", x, [](Scalar v) { return std::sqrt(v); });
  return record("sqrt", y, {x}, [](const Tensor& dy, const Tensor& y) -> Gradients {
    return {one_pass(dy, y, [](auto dy, auto y) { return dy / (y * 2); })};
  });
}

}  // namespace gradus

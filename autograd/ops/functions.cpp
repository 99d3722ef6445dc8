#include "autograd/ops/functions.h"

#include <cmath>

#include "autograd/kernels/vector_math.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/one_pass.h"

namespace gradus {
using namespace detail;

Tensor exp(const Tensor& x) {
  return saves_result(
      "exp", x, [](Scalar v) { return exp_of(v); }, [](auto dy, auto y) { return dy * y; });
}

Tensor log(const Tensor& x) {
  return saves_argument(
      "log", x, [](Scalar v) { return log_of(v); }, [](auto dy, auto x) { return dy / x; });
}

Tensor sqrt(const Tensor& x) {
  return saves_result(
      "sqrt", x, [](Scalar v) { return std::sqrt(v); },
      [](auto dy, auto y) { return dy / (y * 2); });
}

Tensor sin(const Tensor& x) {
  return saves_argument(
      "sin", x, [](Scalar v) { return std::sin(v); },
      [](auto dy, auto x) {
        using std::cos;
        return dy * cos(x);
      });
}

Tensor cos(const Tensor& x) {
  return saves_argument(
      "cos", x, [](Scalar v) { return std::cos(v); },
      [](auto dy, auto x) {
        using std::sin;
        return -(dy * sin(x));
      });
}

}  // namespace gradus

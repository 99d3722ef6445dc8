// rejected: that is the share of the other input
#include "tutorials/04_gradients_of_tensors/exercises.h"

using namespace pocket;

Tensor logaddexp(const Tensor& a, const Tensor& b) {
  const auto f = [](Scalar u, Scalar v) {
    return std::max(u, v) + std::log1p(std::exp(-std::abs(u - v)));
  };
  const auto share = [](Scalar u, Scalar v) { return 1 / (1 + std::exp(v - u)); };
  const Tensor y = elementwise("logaddexp", a, b, f);
  return record("logaddexp", y, {a, b}, [=](const Tensor& dy) -> Gradients {
    const Tensor of_a = elementwise("logaddexp", a, b, share);
    const Tensor of_b = elementwise("logaddexp", b, a, share);
    return {sum_to(dy * of_b, a.shape()), sum_to(dy * of_a, b.shape())};
  });
}

//! [05 gradcheck]
// Compares gradients with finite differences. Needs GRADUS_DOUBLE.
#pragma once

#include "ops.h"

namespace pocket {

using TensorFunction = std::function<Tensor(const std::vector<Tensor>&)>;

struct GradientCheck {
  double tolerance = 1e-7, step = 1e-5;  // tolerance: relative to max(1, |expected|)
};

/// Checks all gradients of f for the loss sum(weights * y): in a plain sum, errors could cancel.
inline void check_gradient_at(const TensorFunction& f, const std::vector<Tensor>& inputs,
                              const GradientCheck& options = {}) {
  check(sizeof(Scalar) == 8, "check_gradient: float is too coarse (compile with GRADUS_DOUBLE)");
  std::vector<Tensor> x;
  for (const Tensor& input : inputs) x.push_back((input * 1).set_requires_grad());  // a copy
  const Tensor y = f(x);
  Tensor weights(y.shape());
  for (Index i = 0; i < y.size(); ++i) weights.mutable_data()[i] = Scalar(1 + std::sin(i) / 2);
  backward(y, weights);
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (Index i = 0; i < x[k].size(); ++i) {
      //! [05.1]
      const double got = x[k].grad().defined() ? x[k].grad().data()[i] : 0;
      Scalar& element = x[k].mutable_data()[i];
      const Scalar before = element, h = Scalar(options.step);
      const auto loss_at = [&](Scalar to) { return element = to, sum(f(x) * weights).item(); };
      const double expected = (loss_at(before + h) - loss_at(before - h)) / (2 * h);
      element = before;
      const double error = std::abs(got - expected) / std::max(1.0, std::abs(expected));
      check(error <= options.tolerance, "check_gradient: argument ", k, ", element ", i, ": got ",
            got, ", expected ", expected, " by central differences");
      //! [05.1]
    }
  }
}

}  // namespace pocket
//! [05 gradcheck]

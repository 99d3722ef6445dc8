//! [05 gradcheck]
/// @file
/// Compares gradients with finite differences. Needs GRADUS_DOUBLE.
#pragma once

#include "engine.h"

namespace pocket {

using TensorFunction = std::function<Tensor(const std::vector<Tensor>&)>;

struct GradientCheck {
  double tolerance = 1e-7;  // of a difference, relative to max(1, |expected|)
  double step = 1e-5;       // h
};

/// Checks the gradient of every element of every input. The loss weights the results differently:
/// in a plain sum, errors could cancel.
inline void check_gradient_at(const TensorFunction& f, const std::vector<Tensor>& inputs,
                              const GradientCheck& options = {}) {
  check(sizeof(Scalar) == 8, "check_gradient: float is too coarse (compile with GRADUS_DOUBLE)");
  std::vector<Tensor> x;
  for (const Tensor& input : inputs) x.push_back(input * 1);  // numbers of their own
  for (Tensor& leaf : x) leaf.set_requires_grad();
  const Tensor y = f(x);
  Tensor weights(y.shape());
  for (Index i = 0; i < y.size(); ++i) weights.mutable_data()[i] = Scalar(1 + std::sin(i) / 2);
  const auto loss = [&] { return sum(f(x) * weights).item(); };
  backward(y, weights);
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (Index i = 0; i < x[k].size(); ++i) {
      Scalar& element = x[k].mutable_data()[i];
      const Scalar before = element, h = Scalar(options.step);
      element = before + h;
      const Scalar above = loss();
      element = before - h;
      const Scalar below = loss();
      element = before;
      const double expected = (above - below) / (2 * h);
      const double got = x[k].grad().defined() ? x[k].grad().data()[i] : 0;
      const double error = std::abs(got - expected) / std::max(1.0, std::abs(expected));
      check(error <= options.tolerance, "check_gradient: argument ", k, ", element ", i, ": got ",
            got, ", expected ", expected, " by central differences");
    }
  }
}

}  // namespace pocket
//! [05 gradcheck]

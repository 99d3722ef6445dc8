/// @file
/// Compares gradients with finite differences. Every op is tested this way.
///
/// Needs a library in double, because rounding to float hides errors of several per cent: link
/// gradus-engine-double or gradus-double in place of gradus-engine or gradus. They also define
/// GRADUS_DOUBLE for your sources, which makes Scalar double. The caller must keep inputs away from
/// kinks of the function, with check_gradient_at() or with the range.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup inspection
/// @{

/// A function of tensors that the gradient checks can test. Its result may have any shape.
using TensorFunction = std::function<Tensor(const std::vector<Tensor>&)>;

/// Options of check_gradient() and the other checks.
struct GradientCheck {
  double low = -2;          ///< inputs are uniform in [low, high)
  double high = 2;          ///< see low
  double tolerance = 1e-7;  ///< largest |got - expected|, relative to max(1, |expected|)
  double step = 1e-4;       ///< h below, relative to max(1, |x|)
  std::uint64_t seed = 1;   ///< seed of inputs and weights
};

/// Compares the gradients of `f` with finite differences, for every element of every argument.
///
/// The loss is \f$ L = \sum_i w_i y_i \f$, with fixed random weights of size 0.5 to 1.5 and of
/// either sign: in a plain sum, errors could cancel. The expected gradient is
/// \f[ \frac{dL}{dx} = \frac{8\,(L(x + h) - L(x - h)) - (L(x + 2h) - L(x - 2h))}{12\,h}, \f]
/// accurate to about 1e-11. Gradients are checked with all arguments requiring a gradient, and with
/// each argument alone. `f` must also give the same bits each time, and must not change its inputs
/// or the gradient that it is given.
/// @param f takes one tensor per shape
/// @throws std::runtime_error with a message that names op, argument and element, such as "tanh:
/// gradient of argument 0 at [2, 0]: got 0.5, expected 0.25 by central differences (relative error
/// 1); 3 of 14 elements are off"
/// @throws std::invalid_argument in the float build.
///
/// @code
/// check_gradient([](const auto& x) { return matmul(x[0], x[1]); }, {{2, 3}, {3, 5}});
/// check_gradient([](const auto& x) { return log(x[0]); }, {{2, 3}}, {.low = 0.5});
/// @endcode
void check_gradient(const TensorFunction& f, const std::vector<Shape>& shapes,
                    const GradientCheck& options = {});

/// The same at chosen inputs, for example at ties, zeros or very large numbers.
void check_gradient_at(const TensorFunction& f, const std::vector<Tensor>& inputs,
                       const GradientCheck& options = {});

/// Checks gradients of gradients: compares the gradients of
/// \f$ \sum_k \langle v_k, dL/dx_k \rangle \f$, for fixed random v, with finite differences. They
/// are taken with respect to all arguments and to the weights w of the loss.
/// @throws std::runtime_error and std::invalid_argument as check_gradient().
void check_second_gradient(const TensorFunction& f, const std::vector<Shape>& shapes,
                           const GradientCheck& options = {});

/// The same at chosen inputs.
void check_second_gradient_at(const TensorFunction& f, const std::vector<Tensor>& inputs,
                              const GradientCheck& options = {});

/// @}

}  // namespace gradus

/// @file
/// Dropout.
#pragma once

#include "autograd/kernels/philox.h"
#include "autograd/tensor.h"

namespace gradus {

/// @defgroup dropout Dropout
/// Elements set to 0 at random, so that a model in training does not depend on any one of them.
/// @{

/// Sets each element to 0 with probability p and multiplies the others by \f$ 1 / (1 - p) \f$, so
/// that the expectation stays the same. p is first rounded to a multiple of \f$ 2^{-16} \f$ below
/// 1, also in the factor. Whether an element becomes 0 depends only on `key` and the element's
/// position; no mask is stored. With p 0 the result is x itself. Gradient: dx =
/// dropout(dy) with the same key; it can be differentiated again. Shapes: x any, y the same.
/// Srivastava, Hinton, Krizhevsky, Sutskever and Salakhutdinov, "Dropout", 2014.
/// Example: `dropout(ones({4}), Scalar(0.5), {.seed = 2})` is `[0, 2, 0, 0]`.
/// @throws std::invalid_argument if p is not in [0, 1).
Tensor dropout(const Tensor& x, Scalar p, const RandomKey& key);

/// @}

namespace detail {
/// @throws std::invalid_argument beginning with `op` unless p is a probability below 1.
void check_dropout(const char* op, Scalar p);
}  // namespace detail

}  // namespace gradus

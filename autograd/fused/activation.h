/// @file
/// The fast paths of activations: one loop forward and one backward, which save x only.
#pragma once

#include "autograd/tensor.h"

namespace gradus::fused {

/// @addtogroup kernels
/// @{

/// gradus::relu_squared() in one op.
Tensor relu_squared(const Tensor& x);
/// gradus::gelu() in one op.
Tensor gelu(const Tensor& x);
/// gradus::gelu_erf() in one op.
Tensor gelu_erf(const Tensor& x);
/// gradus::silu() in one op.
Tensor silu(const Tensor& x);

/// @}

}  // namespace gradus::fused

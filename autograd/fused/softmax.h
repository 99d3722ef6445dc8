/// @file
/// The fast paths of softmax() and log_softmax().
#pragma once

#include "autograd/tensor.h"

namespace gradus::fused {

/// @addtogroup kernels
/// @{

/// gradus::softmax() in one op, which saves y. Its gradient is a kernel, or ops where it is
/// recorded.
Tensor softmax(const Tensor& x, int axis);
/// gradus::log_softmax() in one op, which saves y. Its gradient is made of ops.
Tensor log_softmax(const Tensor& x, int axis);

/// @}

}  // namespace gradus::fused

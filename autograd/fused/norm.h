/// @file
/// The fast paths of layer_norm() and rms_norm().
#pragma once

#include "autograd/tensor.h"

/// The fast paths of ops: see fused.h. Arguments were checked by the op.
namespace gradus::fused {

/// @addtogroup kernels
/// @{

/// gradus::layer_norm() in one op, which saves x, weight and two numbers per row.
Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, Scalar epsilon);

/// gradus::rms_norm() in one op, which saves x, weight and one number per row.
Tensor rms_norm(const Tensor& x, const Tensor& weight, Scalar epsilon);

/// @}

}  // namespace gradus::fused

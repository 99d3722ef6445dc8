/// @file
/// A tensor and its name. Models, optimisers and files have lists of them.
#pragma once

#include <string>

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup modules
/// @{

/// The role of a tensor in its model.
enum class Role {
  kHidden,  ///< a weight or bias inside the model
  kOuter,   ///< at its input or output: rows or columns are tokens, positions, pixels or labels
  kBuffer,  ///< saved but not learned, such as a running mean
};

/// A parameter or buffer and its name, for example `transformer.h.0.attn.c_attn.weight`.
struct NamedTensor {
  std::string name;           ///< the names of the fields that lead to it, joined with dots
  Tensor tensor;              ///< a handle to the tensor
  Role role = Role::kHidden;  ///< its role, which files do not store
};

/// @}

}  // namespace gradus

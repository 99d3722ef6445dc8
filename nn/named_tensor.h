/// @file
/// A tensor and its name: what models, optimisers and files have lists of.
#pragma once

#include <string>

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup modules
/// @{

/// What a tensor is to its model.
enum class Role {
  kHidden,  ///< a weight or bias inside
  kOuter,   ///< at either end: rows or columns are tokens, places, pixels or labels
  kBuffer,  ///< kept and saved, but not learned: running means
};

/// A parameter or buffer and its name, for example `transformer.h.0.attn.c_attn.weight`.
struct NamedTensor {
  std::string name;           ///< the path of fields to it, joined by dots
  Tensor tensor;              ///< a handle to it
  Role role = Role::kHidden;  ///< what it is there for; files do not say it
};

/// @}

}  // namespace gradus

/// @file
/// Working memory for a kernel, from the calling thread's allocator.
#pragma once

#include "autograd/kernels/allocator.h"
#include "autograd/scalar.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// `size` uninitialised elements, freed at the end of the scope.
class Scratch {
 public:
  /// Allocates them.
  /// @throws std::bad_alloc if there is not enough memory.
  explicit Scratch(Index size)
      : bytes_(storage_bytes(size, sizeof(Scalar))),
        data_(static_cast<Scalar*>(allocate(bytes_))) {}
  ~Scratch() { deallocate(data_, bytes_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  /// The first element.
  Scalar* data() { return data_; }

 private:
  std::size_t bytes_;
  Scalar* data_;
};

/// @}

}  // namespace gradus::detail

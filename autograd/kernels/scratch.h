/// @file
/// Working memory of a kernel, from the calling thread's allocator.
#pragma once

#include "autograd/kernels/allocator.h"
#include "autograd/scalar.h"

namespace gradus {

/// @addtogroup kernels
/// @{

/// Room for `size` elements, uninitialised, given back at the end of the scope.
class Scratch {
 public:
  /// Takes the room.
  explicit Scratch(Index size)
      : bytes_(static_cast<std::size_t>(size) * sizeof(Scalar)),
        data_(static_cast<Scalar*>(allocate(bytes_))) {}
  ~Scratch() { deallocate(data_, bytes_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  /// Its first element.
  Scalar* data() { return data_; }

 private:
  std::size_t bytes_;
  Scalar* data_;
};

/// @}

}  // namespace gradus

/// @file
/// The elements of a tensor in memory, which several tensors may share.
#pragma once

#include <new>
#include <stdexcept>

#include "autograd/check.h"
#include "autograd/kernels/allocator.h"
#include "autograd/kernels/ref.h"
#include "autograd/shape.h"

namespace gradus {

/// @addtogroup tensors
/// @{

/// Thrown if there is no memory for a tensor; what() gives its shape, its size and the remedy.
class OutOfMemory : public std::bad_alloc {
 public:
  /// For a tensor of this shape with elements of `element` bytes each.
  OutOfMemory(const Shape& shape, std::size_t element);
  /// The message: shape, size and remedy.
  const char* what() const noexcept override { return message_.what(); }

 private:
  std::runtime_error message_;  // copying it throws nothing
};

/// @}

}  // namespace gradus

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// The reference count, the version and the size, followed by the elements. These begin 64 bytes
/// further on, so that they are aligned.
template <class T>
struct Storage {
  int refs = 0;          ///< its owners: see Ref
  unsigned version = 0;  ///< how often the elements were requested for writing
  Index size = 0;        ///< the number of elements
  /// The first.
  T* data() { return reinterpret_cast<T*>(reinterpret_cast<char*>(this) + 64); }
};

/// Allocates a storage with uninitialised elements for this shape.
/// @throws OutOfMemory if there is not enough memory.
template <class T>
Ref<Storage<T>> new_storage(const Shape& shape) {
  static_assert(sizeof(Storage<T>) <= 64);
  const Index size = shape.size();
  try {
    return Ref(new (allocate(storage_bytes(size, sizeof(T)))) Storage<T>{.size = size});
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(shape, sizeof(T));
  }
}

/// Frees it; Ref calls this when the last owner is gone.
template <class T>
void destroy(Storage<T>* storage) {
  deallocate(storage, storage_bytes(storage->size, sizeof(T)));
}

/// @}

}  // namespace gradus::detail

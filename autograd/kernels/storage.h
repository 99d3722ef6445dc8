/// @file
/// The elements of a tensor in memory, which several tensors may share.
#pragma once

#include <new>

#include "autograd/kernels/allocator.h"
#include "autograd/kernels/ref.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// A count and, 64 bytes further on so that they are aligned, the elements.
template <class T>
struct Storage {
  int refs = 0;          ///< its owners: see Ref
  unsigned version = 0;  ///< how often somebody asked for the elements to write
  Index size = 0;        ///< their number
  /// The first.
  T* data() { return reinterpret_cast<T*>(reinterpret_cast<char*>(this) + 64); }
};

/// Room for `size` elements, which are not yet set.
/// @throws std::bad_alloc if there is not enough memory.
template <class T>
Ref<Storage<T>> new_storage(Index size) {
  static_assert(sizeof(Storage<T>) <= 64);
  return Ref(new (allocate(storage_bytes(size, sizeof(T)))) Storage<T>{.size = size});
}

/// Frees it; Ref calls this when the last owner goes.
template <class T>
void destroy(Storage<T>* storage) {
  deallocate(storage, storage_bytes(storage->size, sizeof(T)));
}

/// @}

}  // namespace gradus::detail

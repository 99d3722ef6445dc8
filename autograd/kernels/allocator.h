/// @file
/// The memory of all tensors and graph nodes: blocks aligned to 64 bytes, cached by size for reuse.
///
/// Every training step asks for the same sizes. Freed blocks therefore go to a list of their size
/// class and serve the next request; after the first steps no memory is requested from the system.
/// Each thread has its own lists, so there is no lock, with one exception. If a thread already has
/// as many free blocks of a class as it took from the system, more blocks that it frees go to
/// shared lists, because other threads took them. Left out on purpose: splitting and merging
/// blocks, and returning memory before release_cached_memory() or the thread's end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "autograd/scalar.h"

namespace gradus {

/// @addtogroup kernels
/// @{

/// Statistics of the calling thread's allocator so far.
struct AllocatorStats {
  std::ptrdiff_t bytes_in_use = 0;       ///< in blocks allocated and not yet freed; negative on a
                                         ///< thread that frees other threads' blocks
  std::ptrdiff_t peak_bytes_in_use = 0;  ///< the largest bytes_in_use so far
  std::size_t bytes_cached = 0;          ///< in free blocks that the thread keeps for reuse
  std::uint64_t allocations = 0;         ///< requests served
  std::uint64_t system_allocations = 0;  ///< requests that took memory from the system
};

/// Returns `bytes` bytes, aligned to 64 and uninitialised. Free them with deallocate() and the same
/// size, on any thread.
/// @throws std::bad_alloc if the system has no more, even after the cache was released.
void* allocate(std::size_t bytes);

/// Frees a block from allocate(), for reuse.
void deallocate(void* block, std::size_t bytes) noexcept;

namespace detail {

/// The bytes of a storage: a header of 64 bytes, then `count` elements of `element` bytes each.
/// @throws std::bad_alloc if the number of bytes overflows.
std::size_t storage_bytes(Index count, std::size_t element);

/// The base of classes whose objects are allocated with allocate().
struct Pooled {
  static void* operator new(std::size_t bytes) { return allocate(bytes); }
  static void operator delete(void* block, std::size_t bytes) noexcept { deallocate(block, bytes); }
};

/// The allocator for a standard container whose elements are in blocks of allocate().
template <class T>
struct PooledAllocator {
  using value_type = T;
  PooledAllocator() = default;
  template <class U>
  PooledAllocator(const PooledAllocator<U>&) {}  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t n) { return static_cast<T*>(gradus::allocate(n * sizeof(T))); }
  void deallocate(T* block, std::size_t n) noexcept { gradus::deallocate(block, n * sizeof(T)); }
  bool operator==(const PooledAllocator&) const = default;
};

/// A std::vector whose elements are in blocks of allocate().
template <class T>
using PooledVector = std::vector<T, PooledAllocator<T>>;

}  // namespace detail

/// The calling thread's statistics.
AllocatorStats allocator_stats() noexcept;

/// Resets the calling thread's peak_bytes_in_use to bytes_in_use.
void reset_peak_memory() noexcept;

/// Returns all free blocks of the calling thread, and all shared ones, to the system.
void release_cached_memory() noexcept;

/// Sets whether allocate() fills each block with bytes 0xFF from now on (NaN as floating point, -1
/// as integers), so that reads of uninitialised memory become visible. For tests: call it before
/// other threads allocate.
void fill_blocks_with_nan(bool on) noexcept;

/// @}

}  // namespace gradus

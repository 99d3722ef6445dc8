/// @file
/// The memory under all tensors and graph nodes: blocks aligned to 64 bytes, kept for reuse by
/// size.
///
/// A training step asks for the same sizes again and again. Freed blocks therefore go to a list of
/// their size class and serve the next request; after the first steps nothing is taken from the
/// system. Each thread has its own lists, so that there is no lock. Only a block that another
/// thread took, given back where as many are free as the thread took itself, goes to lists that all
/// share. Left out on purpose: splitting and merging of blocks, and returning memory before
/// release_cached_memory() or the thread's end.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus {

/// @addtogroup kernels
/// @{

/// What the calling thread's allocator has done so far.
struct AllocatorStats {
  std::ptrdiff_t bytes_in_use = 0;  ///< in blocks handed out and not yet given back; below 0 on
                                    ///< a thread that gives back what others took
  std::ptrdiff_t peak_bytes_in_use = 0;  ///< the most that bytes_in_use has been
  std::size_t bytes_cached = 0;          ///< in free blocks kept for the thread's reuse
  std::uint64_t allocations = 0;         ///< requests served
  std::uint64_t system_allocations = 0;  ///< requests that had to go to the system
};

/// Returns `bytes` bytes, aligned to 64, uninitialised. Give them back with deallocate() and the
/// same size, on any thread.
/// @throws std::bad_alloc if the system has no more, even after the cache was released.
void* allocate(std::size_t bytes);

/// Gives a block of allocate() back, for reuse.
void deallocate(void* block, std::size_t bytes) noexcept;

/// The calling thread's figures.
AllocatorStats allocator_stats() noexcept;

/// Starts the calling thread's peak anew at what is in use now.
void reset_peak_memory() noexcept;

/// Returns all free blocks of the calling thread, and those that all share, to the system.
void release_cached_memory() noexcept;

/// Whether allocate() fills each block with bytes 0xFF from now on, as floating-point numbers NaN
/// and as integers -1, so that what is read before it was written shows. For tests: call it before
/// other threads allocate.
void fill_blocks_with_nan(bool on) noexcept;

/// @}

}  // namespace gradus

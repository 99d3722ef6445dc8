#include "autograd/kernels/allocator.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <new>
#include <utility>

namespace gradus {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kHugePage = std::size_t{1} << 21;

// The address sanitizer can only see a use after free if the block really is freed.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kCaching = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kCaching = false;
#else
constexpr bool kCaching = true;
#endif
#else
constexpr bool kCaching = true;
#endif

// Size classes: every multiple of 64 up to 512 bytes, from there eight steps to each doubling, so
// that rounding up wastes at most an eighth.
constexpr int kSmallClasses = 8;
constexpr int kClasses = kSmallClasses + 8 * (63 - 9);

struct SizeClass {
  int index;
  std::size_t bytes;
};

SizeClass size_class(std::size_t bytes) {
  if (bytes <= kSmallClasses * kAlignment) {
    const std::size_t steps = std::max<std::size_t>(1, (bytes + kAlignment - 1) / kAlignment);
    return {static_cast<int>(steps) - 1, steps * kAlignment};
  }
  const int exponent = std::bit_width(bytes - 1) - 1;  // 2^exponent < bytes <= 2^(exponent + 1)
  const std::size_t step = (std::size_t{1} << exponent) / 8;
  const std::size_t steps = (bytes - (std::size_t{1} << exponent) + step - 1) / step;  // 1 to 8
  return {kSmallClasses + 8 * (exponent - 9) + static_cast<int>(steps) - 1,
          (std::size_t{1} << exponent) + steps * step};
}

void* take_from_system(std::size_t bytes) {
  const std::size_t alignment = bytes >= kHugePage ? kHugePage : kAlignment;
  void* block = nullptr;
  if (posix_memalign(&block, alignment, bytes) != 0) {
    return nullptr;
  }
#ifdef MADV_HUGEPAGE
  if (bytes >= kHugePage) {
    madvise(block, bytes, MADV_HUGEPAGE);  // a hint: fewer page faults and TLB misses
  }
#endif
  return block;
}

struct FreeBlock {
  FreeBlock* next;
};

/// The calling thread's free lists. Trivial to destroy, because a static tensor may be given back
/// after the thread's other objects are gone.
struct Cache {
  std::array<FreeBlock*, kClasses> lists;
  AllocatorStats stats;
  bool closed;
};

thread_local constinit Cache cache{};

void release(Cache& cache) {
  for (FreeBlock*& list : cache.lists) {
    while (list != nullptr) {
      std::free(std::exchange(list, list->next));
    }
  }
  cache.stats.bytes_cached = 0;
}

/// Empties the thread's cache when the thread ends.
struct Closer {
  ~Closer() {
    release(cache);
    cache.closed = true;
  }
};

void close_at_thread_end() {
  thread_local Closer closer;
  static_cast<void>(closer);
}

void* new_block(std::size_t bytes) {
  close_at_thread_end();
  void* block = take_from_system(bytes);
  if (block == nullptr) {
    release(cache);
    block = take_from_system(bytes);
  }
  if (block == nullptr) {
    throw std::bad_alloc();
  }
  ++cache.stats.system_allocations;
  return block;
}

}  // namespace

void* allocate(std::size_t bytes) {
  if (bytes > (std::size_t{1} << 62)) {
    throw std::bad_alloc();
  }
  const SizeClass size = size_class(bytes);
  void* block = cache.lists[size.index];
  if (block != nullptr) {
    cache.lists[size.index] = cache.lists[size.index]->next;
    cache.stats.bytes_cached -= size.bytes;
  } else {
    block = new_block(size.bytes);
  }
  ++cache.stats.allocations;
  cache.stats.bytes_in_use += static_cast<std::ptrdiff_t>(size.bytes);
  cache.stats.peak_bytes_in_use = std::max(cache.stats.peak_bytes_in_use, cache.stats.bytes_in_use);
  return block;
}

void deallocate(void* block, std::size_t bytes) noexcept {
  const SizeClass size = size_class(bytes);
  cache.stats.bytes_in_use -= static_cast<std::ptrdiff_t>(size.bytes);
  if (!kCaching || cache.closed) {
    std::free(block);
    return;
  }
  if (cache.stats.bytes_cached == 0) {
    close_at_thread_end();  // a thread may only ever give back what others took
  }
  cache.lists[size.index] = new (block) FreeBlock{cache.lists[size.index]};
  cache.stats.bytes_cached += size.bytes;
}

AllocatorStats allocator_stats() noexcept { return cache.stats; }

void reset_peak_memory() noexcept { cache.stats.peak_bytes_in_use = cache.stats.bytes_in_use; }

void release_cached_memory() noexcept { release(cache); }

}  // namespace gradus

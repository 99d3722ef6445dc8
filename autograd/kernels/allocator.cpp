#include "autograd/kernels/allocator.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>
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

// Size classes: every multiple of 64 up to 512 bytes, then eight steps per doubling, so that
// rounding up wastes at most an eighth. Each class has 64 bytes more, for the reference count in
// front of a tensor's elements. So sizes that are powers of two, the most common ones, fit exactly.
constexpr std::size_t kHeader = 64;
constexpr int kSmallClasses = 9;
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
  const std::size_t rest = bytes - kHeader;
  const int exponent = std::bit_width(rest - 1) - 1;  // 2^exponent < rest <= 2^(exponent + 1)
  const std::size_t step = (std::size_t{1} << exponent) / 8;
  const std::size_t steps = (rest - (std::size_t{1} << exponent) + step - 1) / step;  // 1 to 8
  return {kSmallClasses + 8 * (exponent - 9) + static_cast<int>(steps) - 1,
          (std::size_t{1} << exponent) + steps * step + kHeader};
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

void push(FreeBlock*& list, void* block) { list = new (block) FreeBlock{list}; }

void* pop(FreeBlock*& list) { return list == nullptr ? nullptr : std::exchange(list, list->next); }

/// One size class: its free blocks, and how many of its blocks this thread took from the system.
struct FreeList {
  FreeBlock* first;
  int length;
  int taken;
};

/// The calling thread's free lists. Trivially destructible, because a static tensor may be freed
/// after the thread's other objects are destroyed.
struct Cache {
  std::array<FreeList, kClasses> lists;
  AllocatorStats stats;
  bool closed;
};

thread_local constinit Cache cache{};

/// Free blocks beyond the number that a thread took from the system: another thread took them and
/// finds them here again. Without these lists, blocks that one thread allocates and another frees
/// would pile up on the second. Used only when a thread's own list is empty or full.
struct SharedLists {
  std::mutex mutex;
  std::array<FreeBlock*, kClasses> lists;

  void* take(int index) {
    const std::lock_guard lock(mutex);
    return pop(lists[index]);
  }
  void give(int index, void* block) {
    const std::lock_guard lock(mutex);
    push(lists[index], block);
  }
  void release() {
    const std::lock_guard lock(mutex);
    for (FreeBlock*& list : lists) {
      while (list != nullptr) {
        std::free(pop(list));
      }
    }
  }
};

constinit SharedLists shared{};

bool fills_blocks = false;

void release(Cache& cache) {
  for (FreeList& list : cache.lists) {
    while (list.first != nullptr) {
      std::free(pop(list.first));
    }
    list.taken -= std::exchange(list.length, 0);
  }
  cache.stats.bytes_cached = 0;
}

/// Empties the thread's cache when the thread ends.
struct Closer {
  ~Closer() {
    release(cache);
    for (FreeList& list : cache.lists) {
      list.taken = 0;
    }
    cache.closed = true;
  }
};

void close_at_thread_end() {
  thread_local Closer closer;
  static_cast<void>(closer);
}

void* new_block(const SizeClass& size) {
  if (void* block = shared.take(size.index)) {
    return block;
  }
  close_at_thread_end();
  void* block = take_from_system(size.bytes);
  if (block == nullptr) {
    release_cached_memory();
    block = take_from_system(size.bytes);
  }
  if (block == nullptr) {
    throw std::bad_alloc();
  }
  cache.lists[size.index].taken += cache.closed ? 0 : 1;
  ++cache.stats.system_allocations;
  return block;
}

}  // namespace

void* allocate(std::size_t bytes) {
  if (bytes > (std::size_t{1} << 62)) {
    throw std::bad_alloc();
  }
  const SizeClass size = size_class(bytes);
  FreeList& list = cache.lists[size.index];
  void* block = pop(list.first);
  if (block != nullptr) {
    --list.length;
    cache.stats.bytes_cached -= size.bytes;
  } else {
    block = new_block(size);
  }
  if (fills_blocks) [[unlikely]] {
    std::memset(block, 0xFF, size.bytes);
  }
  ++cache.stats.allocations;
  cache.stats.bytes_in_use += static_cast<std::ptrdiff_t>(size.bytes);
  cache.stats.peak_bytes_in_use = std::max(cache.stats.peak_bytes_in_use, cache.stats.bytes_in_use);
  return block;
}

void deallocate(void* block, std::size_t bytes) noexcept {
  const SizeClass size = size_class(bytes);
  cache.stats.bytes_in_use -= static_cast<std::ptrdiff_t>(size.bytes);
  if (!kCaching) {
    std::free(block);
    return;
  }
  FreeList& list = cache.lists[size.index];
  if (list.length >= list.taken) {
    shared.give(size.index, block);
    return;
  }
  push(list.first, block);
  ++list.length;
  cache.stats.bytes_cached += size.bytes;
}

AllocatorStats allocator_stats() noexcept { return cache.stats; }

void reset_peak_memory() noexcept { cache.stats.peak_bytes_in_use = cache.stats.bytes_in_use; }

void release_cached_memory() noexcept {
  release(cache);
  shared.release();
}

void fill_blocks_with_nan(bool on) noexcept { fills_blocks = on; }

std::size_t detail::storage_bytes(Index count, std::size_t element) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::size_t>(count), element, &bytes) ||
      __builtin_add_overflow(bytes, kHeader, &bytes)) {
    throw std::bad_alloc();
  }
  return bytes;
}

}  // namespace gradus

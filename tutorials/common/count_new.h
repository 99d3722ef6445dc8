/// @file
/// Counts the memory that a program takes with `operator new`, as std::vector does: for exercises
/// that may take none. Only a check's own source includes it, once: it replaces the operators.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>

#include "autograd/kernels/allocator.h"
#include "tutorials/common/check.h"

namespace gradus {

/// The memory that the reader's function took.
struct Taken {
  bool counting = false;
  std::size_t times = 0;
  std::size_t largest = 0;  ///< bytes of the largest piece
};
inline Taken taken_by_new;

/// Calls `f`, which may take no piece of more than `bytes` with `operator new`, and no tensor if
/// bytes is 0.
template <class F>
void no_memory(const std::string& what, const F& f, std::size_t bytes = 0) {
  const std::uint64_t tensors = allocator_stats().allocations;
  taken_by_new = {.counting = true};
  f();
  taken_by_new.counting = false;
  if (bytes == 0 && allocator_stats().allocations != tensors) {
    red(what + ": memory was taken by a tensor; use the existing elements in place");
  }
  if (taken_by_new.largest > bytes) {
    red(what + ": memory was taken by operator new, " + std::to_string(taken_by_new.largest) +
        " bytes at once\nlikely cause: a std::vector for a copy");
  }
}

}  // namespace gradus

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (gradus::taken_by_new.counting) {
    ++gradus::taken_by_new.times;
    gradus::taken_by_new.largest = std::max(gradus::taken_by_new.largest, bytes);
  }
  if (void* place = std::malloc(bytes == 0 ? 1 : bytes)) return place;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* place) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept { std::free(place); }

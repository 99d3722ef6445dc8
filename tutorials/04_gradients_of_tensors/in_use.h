// How much memory a program holds. Included once: it replaces new and delete.
#pragma once

#include <cstdlib>
#include <new>

// [in_use]
// The bytes that new has given out and delete has not taken back. Each piece has its size before
// it. Inlined, new and delete would look mismatched to gcc.
inline std::size_t in_use = 0;

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  auto* const piece = static_cast<std::size_t*>(std::malloc(16 + bytes));
  if (piece == nullptr) throw std::bad_alloc();
  *piece = bytes;
  in_use += bytes;
  return piece + 16 / sizeof(std::size_t);
}
[[gnu::noinline]] void operator delete(void* place) noexcept {
  if (place == nullptr) return;
  auto* const piece = static_cast<std::size_t*>(place) - 16 / sizeof(std::size_t);
  in_use -= *piece;
  std::free(piece);
}
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept {
  operator delete(place);
}
// [in_use]

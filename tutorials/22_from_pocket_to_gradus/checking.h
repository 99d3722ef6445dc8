/// @file
/// Counts the memory that an answer takes and keeps. Only a check's own source includes it, once,
/// because it replaces new and delete.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"
#include "tutorials/common/guards.h"

/// What `new` has given out.
struct Heap {
  std::size_t pieces = 0, taken = 0;  ///< how many, and their bytes
  std::size_t in_use = 0, most = 0;   ///< bytes not given back: now, and the most
  std::size_t largest = 0;            ///< bytes of the largest piece
  bool buries = false;        ///< what comes back is filled with 0 and never given out again
  struct alignas(16) Piece {  ///< before each piece: how large it is
    std::size_t bytes;
  };
};
inline Heap heap;

inline bool is_same(const Tensor& a, const Tensor& b) {
  return std::equal(a.begin(), a.end(), b.begin());
}

/// backward(y, dy). A closure that refers to what is gone makes the library complain of any size.
inline void pass_back(const std::string& what, const Tensor& y, const Tensor& dy,
                      const std::string& cause =
                          "the closure captures by [&], and what it refers to ended with the "
                          "forward pass; capture copies, [=]. Or a gradient has not its input's "
                          "shape") {
  try {
    backward(y, dy);
  } catch (const std::exception& error) {
    gradus::red(what + ": backward says: " + error.what() + "\nlikely cause: " + cause);
  }
}

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (bytes > std::size_t(1) << 40) throw std::bad_alloc();
  auto* piece = static_cast<Heap::Piece*>(std::malloc(bytes + sizeof(Heap::Piece)));
  if (piece == nullptr) throw std::bad_alloc();
  piece->bytes = bytes;
  heap.pieces += 1, heap.taken += bytes, heap.in_use += bytes;
  heap.most = std::max(heap.most, heap.in_use), heap.largest = std::max(heap.largest, bytes);
  return piece + 1;
}
[[gnu::noinline]] void operator delete(void* place) noexcept {
  if (place == nullptr) return;
  Heap::Piece* piece = static_cast<Heap::Piece*>(place) - 1;
  heap.in_use -= piece->bytes;
  if (heap.buries) {
    std::memset(place, 0, piece->bytes);
  } else {
    std::free(piece);
  }
}
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept {
  operator delete(place);
}

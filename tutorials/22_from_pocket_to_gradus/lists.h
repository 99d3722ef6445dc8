/// @file
/// Chapter 22's memory: an operator new that counts, and can keep lists of free pieces.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdlib>

// [new]
/// The head of a piece of memory, before the bytes that `new` returns.
struct alignas(16) Piece {
  Piece* next;              // in its list, if the piece is free
  std::size_t bytes, room;  // requested by the caller, and from malloc
};

struct Memory {
  bool reuse = false;
  double pieces = 0, megabytes = 0;  // requested so far
  double in_use = 0, most = 0;       // MB now, and the most so far
  Piece* free_ones[65] = {};         // list k has pieces of 2^k bytes or more
};
thread_local Memory memory;  // each thread has its own, and needs no locks

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  std::size_t room = bytes + sizeof(Piece);
  if (memory.reuse) room = std::bit_ceil(room);  // so that it fits more requests
  Piece*& first = memory.free_ones[std::bit_width(room) - 1];
  Piece* piece = memory.reuse ? first : nullptr;
  if (piece != nullptr) {
    first = piece->next;
  } else {
    piece = static_cast<Piece*>(std::malloc(room));
    piece->room = room;
  }
  piece->bytes = bytes;
  memory.pieces += 1, memory.megabytes += double(bytes) / 1e6;
  memory.in_use += double(bytes) / 1e6, memory.most = std::max(memory.most, memory.in_use);
  return piece + 1;
}

[[gnu::noinline]] void operator delete(void* bytes) noexcept {
  if (bytes == nullptr) return;
  Piece* piece = static_cast<Piece*>(bytes) - 1;
  memory.in_use -= double(piece->bytes) / 1e6;
  if (!memory.reuse) return std::free(piece);
  Piece*& first = memory.free_ones[std::bit_width(piece->room) - 1];
  piece->next = first, first = piece;
}
// [new]
void operator delete(void* bytes, std::size_t) noexcept { operator delete(bytes); }

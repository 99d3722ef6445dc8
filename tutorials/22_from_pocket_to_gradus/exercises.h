/// @file
/// What the variations of chapter 22 ask for, on pocket.
#pragma once

#include <cstdlib>

#include "tutorials/pocket/gpt.h"

using namespace pocket;

/// What a machine can do in a second.
struct Machine {
  double operations, bytes;  ///< at most: additions and multiplications, and to and from memory
};

// Exercise 22.2: of a product [m, k] times [k, n] of floats.
double intensity(Index m, Index n, Index k);
bool waits_for_memory(Index m, Index n, Index k, const Machine& machine);

// Exercise 22.3
/// Memory of the system: it takes time, and the check counts it.
void* from_system(std::size_t bytes);

/// Hands out pieces of memory, and uses again what it got back.
struct Pool {
  void* take(std::size_t bytes);
  void give(void* piece, std::size_t bytes);                   // what take(bytes) has handed out
  std::map<std::size_t, std::vector<void*>> free_pieces = {};  // by size
};

// Exercise 22.4
Tensor fused_cross_entropy(const Tensor& logits, const IndexTensor& targets);

// Exercise 22.6
Tensor streaming_attention(const Tensor& q, const Tensor& k, const Tensor& v);

/// @file
/// Declarations for the variations of chapter 22, on pocket.
#pragma once

#include <math.h>  // or it would come after the macros below

#include <cmath>
#include <cstdlib>

#ifndef CHAPTER_22_HAS_POCKET  // the chapter's program, which compiles these answers on its pocket
#include "tutorials/pocket/gpt.h"
#endif

using namespace pocket;

namespace pocket {
// For rows of n numbers; the program has fast ones.
/// to[i] = e^(from[i] - largest); returns their sum.
Scalar exp_row(const Scalar* from, Scalar largest, Scalar* to, Index n);
/// The sum of x[i] y[i].
Scalar row_dot(const Scalar* x, const Scalar* y, Index n);
}  // namespace pocket

// Exercise 22.2
Tensor fused_softmax(const Tensor& x);

// Exercise 22.4
/// Memory of the system: it takes time, and the check counts it.
void* from_system(std::size_t bytes);

/// Hands out pieces of memory, and uses again what it got back.
struct Pool {
  void* take(std::size_t bytes);
  void give(void* piece, std::size_t bytes);                   // what take(bytes) has handed out
  std::map<std::size_t, std::vector<void*>> free_pieces = {};  // by size
};

// Exercise 22.6
/// What one query attends to when its keys come in blocks. It keeps nothing of a block but these.
struct OnlineSoftmax {
  void add(const Tensor& scores, const Tensor& values);  // the next block: [S] and [S, E]
  Tensor result() const;                // softmax(all scores so far) times their values: [E]
  Scalar largest = -INFINITY, sum = 0;  // of the scores; of all e^(score - largest)
  Tensor mixed = {};                    // the sum of all e^(score - largest) value: [E]
};

// Exercise 22.1
#ifdef CHAPTER_22_HAS_POCKET
inline float fast_exp(float x);  // or the program's loops would call it
#else
float fast_exp(float x);
// The check sees calls, but these may be single instructions, so compilers reject them.
#define KEEPS_FROM_VECTORS \
  _Pragma("GCC error \"this keeps a loop over fast_exp from vectors: use nearbyint\"")
#define lround KEEPS_FROM_VECTORS lround
#define lroundf KEEPS_FROM_VECTORS lroundf
#define lrint KEEPS_FROM_VECTORS lrint
#define lrintf KEEPS_FROM_VECTORS lrintf
#define llround KEEPS_FROM_VECTORS llround
#define llroundf KEEPS_FROM_VECTORS llroundf
#define llrint KEEPS_FROM_VECTORS llrint
#define llrintf KEEPS_FROM_VECTORS llrintf
#endif

// Exercise 22.7
Tensor attention_by_blocks(const Tensor& q, const Tensor& k, const Tensor& v);

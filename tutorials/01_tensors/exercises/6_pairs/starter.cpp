// Exercise 01.6: Every pair
//
// The differences of every pair of points: a is [M, D], b is [N, D], and element [i, j, d] of the
// result [M, N, D] is a[i, d] - b[j, d]. One call of elementwise is enough, without a loop.
#include "tutorials/01_tensors/exercises.h"

Tensor pairs(const Tensor& a, const Tensor& b) { return Tensor(); }

/// @file
/// Declarations for the variations of chapter 10, and pocket as the chapter leaves it.
#pragma once

#include "tutorials/pocket/attention.h"

using namespace pocket;

Tensor grouped_attention(const Tensor& q, const Tensor& k, const Tensor& v);

/// Sets element [i, j] of a matrix.
inline void put(Tensor& matrix, Index i, Index j, Scalar value) {
  check(0 <= i && i < matrix.size(0) && 0 <= j && j < matrix.size(1), "put: [", i, ", ", j,
        "] is not in ", matrix.shape());
  matrix.mutable_data()[i * matrix.size(1) + j] = value;
}

void set_induction_head(Index words, Index length, MultiHeadAttention& first,
                        MultiHeadAttention& second);

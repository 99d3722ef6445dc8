/// @file
/// Declarations for the exercises of chapter 02, with helpers for them.
#pragma once

#include "tutorials/02_the_matrix_product/counted.h"
#include "tutorials/pocket/matmul.h"

using namespace pocket;

#include "tutorials/02_the_matrix_product/cache.h"

/// A part of a matrix, as it lies there; a product takes it transposed or not.
struct Block {
  Tensor of;            ///< the whole matrix
  Index row, column;    ///< the first element of the part
  Index rows, columns;  ///< its size, before any transposing
  bool transposed = false;
};

Index operations(const Shape& a, const Shape& b);
void multiply(const Block& a, const Block& b, Block& c);
void transposed_product(Index n, Watched a, Watched b, Watched c);

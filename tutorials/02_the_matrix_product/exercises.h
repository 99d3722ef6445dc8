/// @file
/// What the exercises of chapter 02 ask for, and what they may use.
#pragma once

#include <cstdint>

#include "autograd/kernels/blas.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "autograd/tensor.h"

using namespace gradus;

/// A part of a matrix, as it lies there; a product takes it transposed or not.
struct Block {
  Tensor of;            ///< the whole matrix
  Index row, column;    ///< the first element of the part
  Index rows, columns;  ///< its size, before any transposing
  bool transposed = false;
};

Index operations(const Shape& a, const Shape& b);
void product_with_transposed(const Tensor& a, const Tensor& b, const Tensor& y);
void multiply(const Block& a, const Block& b, const Block& c);

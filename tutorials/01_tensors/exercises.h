/// @file
/// Declarations for the exercises of chapter 01, with helpers for them.
#pragma once

#include <algorithm>
#include <vector>

#include "tutorials/pocket/tensor.h"

using namespace pocket;

/// A part of x's numbers, found by strides of its own: element [i, j] is at first + i * strides[0]
/// + j * strides[1].
struct View {
  Tensor x;
  Index first = 0;  ///< the offset of its first element
  Shape shape;
  Strides strides;
};

/// All of a tensor.
inline View view_of(const Tensor& x) { return {x, 0, x.shape(), strides_of(x.shape())}; }

/// The elements of a view, as a new tensor.
inline Tensor copy_of(const View& v) {
  Tensor y(v.shape);
  const Scalar* from = v.x.data() + v.first;
  Scalar* to = y.mutable_data();
  for_each_element(v.shape, v.strides, v.strides,
                   [=](Index i, Index at, Index) { to[i] = from[at]; });
  return y;
}

View permuted(const View& v, const std::vector<int>& axes);
View sliced(const View& v, int axis, Index begin, Index end);
View flipped(const View& v, int axis);
Tensor pairs(const Tensor& a, const Tensor& b);

// A view changes by its shape, its strides and its first offset.
#include "tutorials/01_tensors/exercises.h"

View permuted(const View& v, const std::vector<int>& axes) {
  View y = v;
  for (int k = 0; k < v.shape.rank(); ++k) {
    y.shape = y.shape.with(k, v.shape[axes[k]]);
    y.strides[k] = v.strides[v.shape.axis_of(axes[k])];
  }
  return y;
}

View sliced(const View& v, int axis, Index begin, Index end) {
  View y = v;
  y.first += begin * v.strides[v.shape.axis_of(axis)];
  y.shape = v.shape.with(axis, end - begin);
  return y;
}

View flipped(const View& v, int axis) {
  View y = v;
  Index& stride = y.strides[v.shape.axis_of(axis)];
  y.first += (v.shape[axis] - 1) * stride;
  stride = -stride;
  return y;
}

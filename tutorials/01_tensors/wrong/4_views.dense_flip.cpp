// rejected: not strides_of(v.shape)
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
  const int k = v.shape.axis_of(axis);
  const Index stride = v.strides[k] < 0 ? -strides_of(v.shape)[k] : strides_of(v.shape)[k];
  y.first += (v.shape[k] - 1) * stride;
  y.strides[k] = -stride;
  return y;
}

// rejected: argument 1 has changed
#include "tutorials/01_tensors/exercises.h"

namespace {

/// x's steps along the axes of `shape`, which x broadcasts to.
std::vector<Index> steps_in(const Tensor& x, const Shape& shape) {
  std::vector<Index> steps(static_cast<std::size_t>(shape.rank()));
  Index step = 1;
  for (int back = 1; back <= x.rank(); ++back) {
    steps[static_cast<std::size_t>(shape.rank() - back)] = x.size(-back) == 1 ? 0 : step;
    step *= x.size(-back);
  }
  return steps;  // the axes that x lacks keep 0
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  if (a.shape() == b.shape()) {
    const Tensor y = a;
    for (Index i = 0; i < y.size(); ++i) y.mutable_data()[i] += b.data()[i];
    return y;
  }
  const Tensor y(broadcast_shapes("add", a.shape(), b.shape()));
  const std::vector<Index> in_a = steps_in(a, y.shape()), in_b = steps_in(b, y.shape());
  for (Index offset = 0; offset < y.size(); ++offset) {
    Index rest = offset, at_a = 0, at_b = 0;
    for (int axis = y.rank() - 1; axis >= 0; --axis) {
      const Index index = rest % y.size(axis);
      rest /= y.size(axis);
      at_a += index * in_a[static_cast<std::size_t>(axis)];
      at_b += index * in_b[static_cast<std::size_t>(axis)];
    }
    y.mutable_data()[offset] = a.data()[at_a] + b.data()[at_b];
  }
  return y;
}

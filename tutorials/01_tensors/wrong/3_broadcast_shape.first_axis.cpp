// rejected: aligned at the first axis
#include <span>

#include "tutorials/01_tensors/exercises.h"

Shape broadcast_shape(const Shape& a, const Shape& b) {
  const int rank = std::max(a.rank(), b.rank());
  std::vector<Index> sizes(static_cast<std::size_t>(rank));
  for (int axis = 0; axis < rank; ++axis) {
    const Index m = axis < a.rank() ? a[axis] : 1;
    const Index n = axis < b.rank() ? b[axis] : 1;
    if (m != n && m != 1 && n != 1) {
      throw std::invalid_argument("the shapes do not fit");
    }
    sizes[static_cast<std::size_t>(axis)] = m == 1 ? n : m;
  }
  return Shape(std::span(sizes));
}

// From the last axis to the first: each index counts steps, and a step is the product of all sizes
// behind it.
#include "tutorials/01_tensors/exercises.h"

Index offset_of(const Shape& shape, const std::vector<Index>& indices) {
  Index offset = 0, step = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    offset += indices[static_cast<std::size_t>(axis)] * step;
    step *= shape[axis];
  }
  return offset;
}

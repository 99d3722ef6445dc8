// rejected: each index was multiplied by the size of its own axis too
#include "tutorials/01_tensors/exercises.h"

Index offset_of(const Shape& shape, const std::vector<Index>& indices) {
  Index offset = 0, step = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    step *= shape[axis];
    offset += indices[static_cast<std::size_t>(axis)] * step;
  }
  return offset;
}

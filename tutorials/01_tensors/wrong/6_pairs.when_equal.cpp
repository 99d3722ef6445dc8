// rejected: the shape is
#include "tutorials/01_tensors/exercises.h"

Tensor pairs(const Tensor& a, const Tensor& b) {
  if (a.size(0) == b.size(0)) return elementwise("sub", a, b, std::minus<>());
  const Tensor column(a, {a.size(0), 1, a.size(1)});
  return elementwise("sub", column, b, std::minus<>());
}

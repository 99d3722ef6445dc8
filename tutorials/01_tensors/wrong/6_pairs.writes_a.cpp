// rejected: an argument has changed
#include "tutorials/01_tensors/exercises.h"

Tensor pairs(const Tensor& a, const Tensor& b) {
  Tensor column(a, {a.size(0), 1, a.size(1)}), y = elementwise("sub", column, b, std::minus<>());
  for (Index i = 0; i < a.size(); ++i) column.mutable_data()[i] += 1;
  return y;
}

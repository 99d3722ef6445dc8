// rejected: numbers are wrong
#include "tutorials/01_tensors/exercises.h"

Tensor pairs(const Tensor& a, const Tensor& b) {
  Tensor y({a.size(0), b.size(0), a.size(1)});
  for (Index i = 0; i < y.size(); ++i)
    y.mutable_data()[i] = a.data()[i % a.size()] - b.data()[i % b.size()];
  return y;
}

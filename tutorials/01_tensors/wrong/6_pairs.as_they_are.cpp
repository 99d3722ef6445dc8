// rejected: do not broadcast
#include "tutorials/01_tensors/exercises.h"

Tensor pairs(const Tensor& a, const Tensor& b) { return elementwise("sub", a, b, std::minus<>()); }

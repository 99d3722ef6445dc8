// rejected: the library's add was called
#include "tutorials/01_tensors/exercises.h"

Tensor add(const Tensor& a, const Tensor& b) { return a + b; }

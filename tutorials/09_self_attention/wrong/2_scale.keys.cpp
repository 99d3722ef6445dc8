// rejected: the square root of the number of keys
#include "tutorials/09_self_attention/exercises.h"

Tensor my_attention(const Tensor& q, const Tensor& k, const Tensor& v, Index) {
  return matmul(softmax(matmul(q, k, {.b = true}) / std::sqrt(static_cast<Scalar>(k.size(0)))), v);
}

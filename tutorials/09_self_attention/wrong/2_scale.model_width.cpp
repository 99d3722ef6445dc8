// rejected: divided by the square root of the model's width
#include "tutorials/09_self_attention/exercises.h"

Tensor my_attention(const Tensor& q, const Tensor& k, const Tensor& v, Index channels) {
  return matmul(softmax(matmul(q, k, {.b = true}) / std::sqrt(static_cast<Scalar>(channels))), v);
}

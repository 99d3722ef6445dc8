// rejected: an exponential was infinite
#include "tutorials/09_self_attention/exercises.h"

Tensor my_attention(const Tensor& q, const Tensor& k, const Tensor& v, Index) {
  const Tensor shares = exp(matmul(q, k, {.b = true}) / std::sqrt(static_cast<Scalar>(q.size(1))));
  return matmul(shares / sum(shares, {-1}, {.keepdim = true}), v);
}

// rejected: numbers of about 30: got
#include "tutorials/09_self_attention/exercises.h"

namespace {

IndexTensor seen(Index time) {
  IndexTensor visible({time, time});
  for (Index t = 0; t < time; ++t) {
    for (Index s = 0; s <= t; ++s) visible.mutable_data()[t * time + s] = 1;
  }
  return visible;
}

}  // namespace

Tensor causal_attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Tensor scores = matmul(q, k, {.b = true}) / std::sqrt(static_cast<Scalar>(q.size(1)));
  const Tensor shares = where(seen(q.size(0)), exp(scores), scalar(0));
  return matmul(shares / sum(shares, {-1}, {.keepdim = true}), v);
}

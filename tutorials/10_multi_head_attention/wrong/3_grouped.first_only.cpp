// rejected: 6 heads of queries, 3 of keys
#include "tutorials/10_multi_head_attention/exercises.h"

Tensor grouped_attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Tensor rows = reshape(q, {q.size(0), 1, -1, q.size(3)});
  const Tensor y = scaled_dot_product_attention(rows, slice(k, 1, 0, 1), slice(v, 1, 0, 1));
  return reshape(y, {q.size(0), q.size(1), q.size(2), v.size(3)});
}

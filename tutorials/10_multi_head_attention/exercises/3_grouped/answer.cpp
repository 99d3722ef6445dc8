// The queries of one group are rows of one longer matrix: [B, K, (H / K) T, D].
#include "tutorials/10_multi_head_attention/exercises.h"

Tensor grouped_attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Index batch = q.size(0), groups = k.size(1);
  const Tensor rows = reshape(q, {batch, groups, -1, q.size(3)});
  return reshape(scaled_dot_product_attention(rows, k, v),
                 {batch, q.size(1), q.size(2), v.size(3)});
}

// rejected: neighbouring heads share keys
#include "tutorials/10_multi_head_attention/exercises.h"

Tensor grouped_attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Index batch = q.size(0), groups = k.size(1), share = q.size(1) / groups;
  const Tensor apart = reshape(q, {batch, share, groups, q.size(2), q.size(3)});
  const Tensor rows = reshape(permute(apart, {0, 2, 1, 3, 4}), {batch, groups, -1, q.size(3)});
  const Tensor y = reshape(scaled_dot_product_attention(rows, k, v),
                           {batch, groups, share, q.size(2), v.size(3)});
  return reshape(permute(y, {0, 2, 1, 3, 4}), {batch, q.size(1), q.size(2), v.size(3)});
}

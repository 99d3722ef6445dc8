// rejected: nodes were recorded
#include "tutorials/10_multi_head_attention/exercises.h"

Tensor grouped_attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  std::vector<Tensor> all;
  const Index share = q.size(1) / k.size(1);
  for (Index h = 0; h < q.size(1); ++h) {
    const Index g = h / share;
    all.push_back(scaled_dot_product_attention(slice(q, 1, h, h + 1), slice(k, 1, g, g + 1),
                                               slice(v, 1, g, g + 1)));
  }
  return concat(all, 1);
}

// Row by row: [K, H / K, D], and the mean over the second axis.
#include "tutorials/25_the_block_of_today/exercises.h"

Tensor pooled(const Tensor& weight, Index heads, Index kv_heads) {
  const Index channels = weight.size(0), width = weight.size(1) / heads;
  const Tensor groups = reshape(weight, {channels, kv_heads, heads / kv_heads, width});
  return reshape(mean(groups, 2), {channels, kv_heads * width});
}

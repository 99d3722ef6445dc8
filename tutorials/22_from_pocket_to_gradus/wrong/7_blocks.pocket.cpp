// rejected: nodes were recorded, expected 1
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

Tensor attention_by_blocks(const Tensor& q, const Tensor& k, const Tensor& v) {
  return scaled_dot_product_attention(q, k, v, {.causal = true});
}

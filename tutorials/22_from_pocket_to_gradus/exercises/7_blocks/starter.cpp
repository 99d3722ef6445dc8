// Exercise 22.7: Attention without its matrix
//
// Causal attention softmax(q k^T / sqrt(D)) v for q and k [H, T, D] and v [H, T, E], as one node.
// At no time, forward or backward, may an array be larger than the scores of 64 queries.
// It runs in ./run chapter 22 --mine, too. Of pocket you need:
//
//   Tensor attention_weights(const Tensor& q, const Tensor& k, const AttentionOptions& = {});
//   Tensor slice(const Tensor& x, int axis, Index begin, Index end);
//   Tensor concat(const std::vector<Tensor>& tensors, int axis);
//   Tensor matmul(const Tensor& a, const Tensor& b, Transposed = {});  // {.a = true}: a^T b
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

Tensor attention_by_blocks(const Tensor& q, const Tensor& k, const Tensor& v) {
  return scaled_dot_product_attention(q, k, v, {.causal = true});
}

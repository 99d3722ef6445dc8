// Channels become [H, D] first, where they stand; then heads and time change places.
#include "tutorials/10_multi_head_attention/exercises.h"

Tensor my_split_heads(const Tensor& x, Index heads) {
  return permute(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), {0, 2, 1, 3});
}

// Exercise 10.2, 15 minutes: split heads.
//
// x [B, T, H D] to [B, H, T, D]: head h of token t is channels h D to (h + 1) D of token t.
#include "tutorials/10_multi_head_attention/exercises.h"

Tensor my_split_heads(const Tensor& x, Index heads) {
  return zeros({x.size(0), heads, x.size(1), x.size(2) / heads});
}

#include "autograd/ops/heads.h"

#include "autograd/check.h"
#include "autograd/ops/shape.h"

namespace gradus {
using namespace detail;

Tensor split_heads(const Tensor& x, Index heads) {
  require_defined("split_heads", {{"x", x}});
  check(x.rank() == 3 && heads >= 1 && x.size(2) % heads == 0,
        "split_heads: needs x [B, T, C] with C a multiple of the ", heads, " heads, got ",
        x.shape());
  return permute(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), {0, 2, 1, 3});
}

Tensor join_heads(const Tensor& x) {
  require_defined("join_heads", {{"x", x}});
  check(x.rank() == 4, "join_heads: needs x [B, H, T, D], got ", x.shape());
  return reshape(permute(x, {0, 2, 1, 3}), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}

}  // namespace gradus

#include "autograd/ops/heads.h"

#include <array>

#include "autograd/check.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/views.h"

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

Tensor repeat_heads(const Tensor& x, Index times) {
  require_defined("repeat_heads", {{"x", x}});
  check(x.rank() == 4 && times >= 1,
        "repeat_heads: needs x [B, K, T, D] and at least one copy, got ", x.shape(), " and ",
        times);
  if (times == 1) {
    return x;
  }
  const Index b = x.size(0), k = x.size(1), t = x.size(2), d = x.size(3);
  const std::array<Index, 5> copies{b, k, times, t, d};
  const Tensor repeated = broadcast_to(reshape(x, {b, k, 1, t, d}), Shape(copies, "repeat_heads"));
  return reshape(repeated, {b, k * times, t, d});
}

std::vector<Tensor> detail::PackedHeads::split(const Tensor& qkv) const {
  return split_sizes(qkv, {queries * width, keys * width, keys * width}, -1);
}

detail::PackedHeads detail::packed_heads(const char* op, const Tensor& qkv, int heads,
                                         int kv_heads) {
  if (kv_heads == 0 || kv_heads == heads) {
    check(heads >= 1 && qkv.rank() == 3 && qkv.size(2) % (3 * Index{heads}) == 0, op,
          ": needs qkv [B, T, 3 C] with C a multiple of the ", heads, " heads, got ", qkv.shape());
    return {heads, heads, qkv.size(2) / (3 * Index{heads})};
  }
  check(heads >= 1 && kv_heads >= 1 && heads % kv_heads == 0, op,
        ": the number of heads must be a multiple of the number of kv heads, got ", heads, " and ",
        kv_heads);
  const Index all = heads + 2 * Index{kv_heads};
  check(qkv.rank() == 3 && qkv.size(2) % all == 0, op,
        ": needs qkv [B, T, (H + 2 K) D] for H = ", heads, " heads and K = ", kv_heads,
        " kv heads, got ", qkv.shape());
  return {heads, kv_heads, qkv.size(2) / all};
}

}  // namespace gradus

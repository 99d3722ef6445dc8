#include "autograd/ops/cached_attention.h"

#include <array>
#include <cmath>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rearrange.h"
#include "autograd/kernels/scratch.h"
#include "autograd/ops/attention_kernels.h"

namespace gradus {
using namespace detail;

Tensor batch_row(const Tensor& x, Index row) {
  if (!x.defined()) {
    return x;
  }
  check(x.rank() >= 1 && row >= 0 && row < x.size(0),
        "batch_row: needs x [B, ...] and a row in [0, B), got ", x.shape(), " and ", row);
  return Tensor(x, x.shape().with(0, 1), row * (x.size() / x.size(0)));
}

KvCache::KvCache(Index batch_size, int heads, Index positions, Index head_width)
    : keys(Shape(std::array<Index, 4>{batch_size, heads, positions, head_width}, "kv_cache")),
      values(keys.shape()) {}

KvCache KvCache::of_row(Index row) const {
  KvCache one;
  one.keys = batch_row(keys, row);
  one.values = batch_row(values, row);
  one.length = length;
  return one;
}

Tensor cached_self_attention(const Tensor& qkv, KvCache& cache, const Tensor& bias, Index window) {
  require_defined("cached_self_attention",
                  {{"qkv", qkv}, {"cache.keys", cache.keys}, {"cache.values", cache.values}});
  constexpr const char* kOp = "cached_self_attention";
  const Shape& room = cache.keys.shape();  // [B, K, S, D]
  check(room.rank() == 4 && room[1] > 0 && cache.values.shape() == room, kOp,
        ": needs keys and values [B, H, S, D] in the cache, got ", room, " and ",
        cache.values.shape());
  const Index kv_heads = room[1], d = room[3];
  const Index all = qkv.rank() != 3 ? 0 : d > 0 ? qkv.size(2) / d : 3 * kv_heads;  // H + 2 K
  const Index heads = all - 2 * kv_heads;
  check(all >= 3 * kv_heads && qkv.size(0) == room[0] && all * d == qkv.size(2) &&
            heads % kv_heads == 0,
        kOp,
        ": needs qkv [B, T, 3 H D] for a cache [B, H, S, D], or [B, T, (H + 2 K) D] for one of "
        "K heads, got ",
        qkv.shape(), " and ", room);
  check(window >= 0, kOp, ": the window must not be negative, got ", window,
        " (0 stands for no limit)");
  const Index t = qkv.size(1), c = heads * d, row = all * d, group = heads / kv_heads;
  check(cache.length >= 0 && cache.length <= room[2] - t, kOp, ": the cache has room for ", room[2],
        " positions, but holds ", cache.length, " and got ", t, " more");
  const Index seen = cache.length + t;
  check(!bias.defined() || bias.shape() == Shape{heads, t, seen}, kOp, ": needs a bias ",
        Shape{heads, t, seen}, ", got ", ShapeOf{bias});
  check(!wants_gradient(qkv), kOp,
        ": has no gradient (use NoGrad, or packed_self_attention to train)");
  Tensor y(Shape{room[0], t, c});
  if (y.size() == 0) {
    cache.length = seen;  // there may be too many rows without channels to loop over
    return y;
  }
  Scratch sums(2 * room[0] * heads * t);  // only a gradient would need them
  const Index grain = row_grain({group, 2, t, seen, d});
  Scalar *all_keys = cache.keys.mutable_data(), *all_values = cache.values.mutable_data();
  // Keys before the window of the first new position are not read.
  const Index first = window > 0 ? std::max<Index>(cache.length + 1 - window, 0) : 0;
  parallel_for(room[0] * kv_heads, grain, [&, out = y.mutable_data()](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index text = i / kv_heads, kv_head = i % kv_heads;
      const Scalar* packed = qkv.data() + text * t * row;
      Scalar *keys = all_keys + i * room[2] * d, *values = all_values + i * room[2] * d;
      copy_runs(t, d, packed + c + kv_head * d, row, keys + cache.length * d, d);
      copy_runs(t, d, packed + c + (kv_heads + kv_head) * d, row, values + cache.length * d, d);
      for (Index h = kv_head * group; h < (kv_head + 1) * group; ++h) {
        AttentionHead head{};
        head.queries = t;
        head.keys = seen - first;
        head.width = head.out_width = d;
        head.scale = 1 / std::sqrt(static_cast<Scalar>(d));
        if (bias.defined()) {
          head.bias = {bias.data() + h * t * seen + first, seen, 1};
        }
        head.causal = true;
        head.window = window;
        head.q = {packed + h * d, row};
        head.k = {keys + first * d, d};
        head.v = {values + first * d, d};
        attention_forward(head, {out + text * t * c + h * d, c},
                          sums.data() + 2 * (text * heads + h) * t);
      }
    }
  });
  cache.length = seen;
  return y;
}

}  // namespace gradus

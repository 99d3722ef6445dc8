#include "autograd/ops/attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/attention_kernels.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/heads.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/two_paths.h"

namespace gradus {
using namespace detail;
namespace {

/// The memory layout of one operand's heads: head h of batch b begins at column + b batch +
/// (h / group) head.
struct Layout {
  Index column;
  Index batch;
  Index head;
  Index row;        // from one row to the next
  Index group = 1;  // the number of heads that share one
};

/// The part of a mask or a bias for head i. The heads have the leading axes of `weights`.
template <class Element, class Array>
Grid<Element> grid_of(const Array& values, const Shape& weights, Index i) {
  if (!values.defined()) {
    return {};
  }
  const auto leading = [](const Shape& shape) {
    return Shape(std::span(shape.begin(), shape.end() - std::min(shape.rank(), 2)));
  };
  const Shape from = leading(values.shape());
  const BroadcastPlan<1> plan(leading(weights), {&from});
  const Index at = plan.offsets(i / plan.sizes[0])[0] + i % plan.sizes[0] * plan.strides[0][0];
  const Index rows = values.rank() > 1 ? values.size(-2) : 1;
  const Index columns = values.size(-1);
  return {values.data() + at * rows * columns, rows > 1 ? columns : 0, columns > 1 ? 1 : 0};
}

/// All heads of one call.
struct Attention {
  Index heads;      // the number of heads in all batches
  Index per_batch;  // the number of heads in one batch
  Index queries, keys, width, out_width;
  Layout q_at, k_at, v_at, out_at;
  Shape weights;  // [..., T, S], which mask and bias broadcast to
  AttentionOptions options;

  /// The rows of head i in the operand `data`; no rows if it is nullptr.
  template <class Element>
  Rows<Element> rows_of(Element* data, const Layout& at, Index i) const {
    if (data == nullptr) {
      return {};
    }
    const Index head = i % per_batch / at.group;
    return {data + at.column + i / per_batch * at.batch + head * at.head, at.row};
  }

  AttentionHead head(const Tensor& q, const Tensor& k, const Tensor& v, Index i) const {
    AttentionHead head{};
    head.queries = queries;
    head.keys = keys;
    head.width = width;
    head.out_width = out_width;
    head.scale = options.scale_of(width);
    head.bias = grid_of<Scalar>(options.bias, weights, i);
    head.causal = options.causal;
    head.window = options.window;
    head.mask = grid_of<std::int32_t>(options.mask, weights, i);
    head.dropout = options.dropout;
    head.random = options.key;
    head.first_weight = i * queries * keys;
    head.q = rows_of(q.data(), q_at, i);
    head.k = rows_of(k.data(), k_at, i);
    head.v = rows_of(v.data(), v_at, i);
    return head;
  }

  /// Calls run(i) for each head. With `group` above 1, one thread runs the heads of a group, in
  /// order.
  template <class Run>
  void for_each_head(Index group, Run run) const {
    parallel_for(heads / group, row_grain({group, queries, keys, width + out_width}),
                 [&](Index begin, Index end) {
                   for (Index i = begin * group; i < end * group; ++i) {
                     run(i);
                   }
                 });
  }

  void forward(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& out,
               const Tensor& sums) const {
    if (sums.size() == 0) {
      return;  // there may be too many heads to loop over
    }
    for_each_head(1, [&, to = out.mutable_data(), sums = sums.mutable_data()](Index i) {
      attention_forward(head(q, k, v, i), rows_of(to, out_at, i), sums + 2 * i * queries);
    });
  }

  /// Writes to the gradients that are defined, and returns the gradient of the bias if it is
  /// wanted.
  Tensor backward(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& out,
                  const Tensor& sums, const Tensor& dout, const Tensor& dq, const Tensor& dk,
                  const Tensor& dv, bool bias_wanted) const {
    const Tensor dscores = bias_wanted ? zeros(weights) : Tensor();
    if (q.size() == 0 && k.size() == 0 && v.size() == 0) {
      return bias_wanted ? sum_to(dscores, options.bias.shape()) : Tensor();  // as in forward()
    }
    Scalar* const of_scores = room_of(dscores);
    const Index group = k_at.group;
    for_each_head(group, [&, dq = room_of(dq), dk = room_of(dk), dv = room_of(dv)](Index i) {
      attention_backward(head(q, k, v, i), rows_of(out.data(), out_at, i),
                         sums.data() + 2 * i * queries, rows_of(dout.data(), out_at, i),
                         rows_of(dq, q_at, i), rows_of(dk, k_at, i), rows_of(dv, v_at, i),
                         bias_wanted ? of_scores + i * queries * keys : nullptr, i % group > 0);
    });
    return bias_wanted ? sum_to(dscores, options.bias.shape()) : Tensor();
  }
};

Tensor fused_scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                          const AttentionOptions& options) {
  constexpr const char* kOp = "scaled_dot_product_attention";
  const Index t = q.size(-2), s = k.size(-2), d = q.size(-1), e = v.size(-1);
  const Index heads = q.shape().product(0, q.rank() - 2);
  Tensor y(q.shape().with(-1, e, kOp)), sums(Shape(std::array<Index, 3>{heads, 2, t}, kOp));
  const Layout q_at{0, 0, t * d, d}, k_at{0, 0, s * d, d}, v_at{0, 0, s * e, e};
  const Attention attention{
      heads, heads, t, s, d, e, q_at, k_at, v_at, {0, 0, t * e, e}, q.shape().with(-1, s), options};
  attention.forward(q, k, v, y, sums);
  // saved: q, k, v, bias, y, sums
  return record(
      kOp, y, {q, k, v, options.bias},
      [=, q = Saved(q), k = Saved(k), v = Saved(v), mask = Saved(options.mask),
       bias = Saved(options.bias)](const Tensor& dy, const Tensor& y,
                                   const Wanted& wanted) -> Gradients {
        mask.verify();
        bias.verify();
        const AttentionOptions& options = attention.options;
        if (is_recording()) {
          return composed_gradients(dy, wanted, {q, k, v, options.bias}, [&](const auto& in) {
            AttentionOptions same = options;
            same.bias = in[3];
            return gradus::scaled_dot_product_attention(in[0], in[1], in[2], same);
          });
        }
        const Tensor dq = room_if(wanted[0], q->shape());
        const Tensor dk = room_if(wanted[1], k->shape());
        const Tensor dv = room_if(wanted[2], v->shape());
        const Tensor dbias = attention.backward(q, k, v, y, sums, dy, dq, dk, dv, wanted[3]);
        return {dq, dk, dv, dbias};
      });
}

Tensor fused_packed_self_attention(const Tensor& qkv, const PackedHeads& packed,
                                   const AttentionOptions& options) {
  const Index b = qkv.size(0), t = qkv.size(1), row = qkv.size(2);
  const Index heads = packed.queries, d = packed.width, c = heads * d;
  const auto part = [=](Index first_head, Index group) {
    return Layout{first_head * d, t * row, d, row, group};
  };
  const Attention attention{b * heads,
                            heads,
                            t,
                            t,
                            d,
                            d,
                            part(0, 1),
                            part(heads, packed.group()),
                            part(heads + packed.keys, packed.group()),
                            {0, t * c, d, c},
                            {b, heads, t, t},
                            options};
  constexpr const char* kOp = "packed_self_attention";
  Tensor y(Shape{b, t, c}), sums(Shape(std::array<Index, 3>{b * heads, 2, t}, kOp));
  attention.forward(qkv, qkv, qkv, y, sums);
  // saved: qkv, bias, y, sums
  return record(kOp, y, {qkv, options.bias},
                [=, qkv = Saved(qkv), mask = Saved(options.mask), bias = Saved(options.bias)](
                    const Tensor& dy, const Tensor& y, const Wanted& wanted) -> Gradients {
                  mask.verify();
                  bias.verify();
                  const AttentionOptions& options = attention.options;
                  if (is_recording()) {
                    return composed_gradients(dy, wanted, {qkv, options.bias}, [&](const auto& in) {
                      AttentionOptions same = options;
                      same.bias = in[1];
                      return gradus::packed_self_attention(in[0], static_cast<int>(heads), same,
                                                           static_cast<int>(packed.keys));
                    });
                  }
                  const Tensor d = room_if(wanted[0], qkv->shape());
                  const Tensor dbias =
                      attention.backward(qkv, qkv, qkv, y, sums, dy, d, d, d, wanted[1]);
                  return {d, dbias};
                });
}

}  // namespace

void detail::check_attention_options(const char* op, const AttentionOptions& options,
                                     const Shape& weights) {
  const auto check_broadcast = [&](const char* what, const auto& values) {
    if (!values.defined()) return;
    // A [] would broadcast too, but the kernel steps along a last axis.
    check(values.rank() >= 1, op, ": the ", what, " needs at least one axis, got []");
    check(broadcast_shapes(op, values.shape(), weights) == weights, op, ": the ", what,
          " must broadcast to the weights ", weights, ", got ", values.shape());
  };
  check_broadcast("mask", options.mask);
  check_broadcast("bias", options.bias);
  check_dropout(op, options.dropout);
  check(options.window >= 0 && (options.causal || options.window == 0), op,
        ": a window needs causal attention and must not be negative, got ", options.window,
        options.causal ? "" : " without causal", " (0 stands for no limit)");
  check(options.scale >= 0 && std::isfinite(options.scale), op,
        ": the scale must be finite and not negative, got ", options.scale,
        " (0 stands for 1 / sqrt(D))");
}

Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options) {
  constexpr const char* kOp = "scaled_dot_product_attention";
  require_defined(kOp, {{"q", q}, {"k", k}, {"v", v}});
  const bool fits = q.rank() >= 2 && k.rank() == q.rank() && v.rank() == q.rank() &&
                    k.shape() == q.shape().with(-2, k.size(-2), kOp) &&
                    v.shape() == k.shape().with(-1, v.size(-1), kOp);
  check(fits, kOp, ": needs q [..., T, D], k [..., S, D] and v [..., S, E], got q ", q.shape(),
        ", k ", k.shape(), " and v ", v.shape());
  check_attention_options(kOp, options, q.shape().with(-1, k.size(-2), kOp));
  if (uses_fused()) return fused_scaled_dot_product_attention(q, k, v, options);
  return matmul(dropout(attention_weights(q, k, options), options.dropout, options.key), v);
}

Tensor attention_weights(const Tensor& q, const Tensor& k, const AttentionOptions& options) {
  constexpr const char* kOp = "attention_weights";
  require_defined(kOp, {{"q", q}, {"k", k}});
  check(q.rank() >= 2 && k.rank() == q.rank() && k.shape() == q.shape().with(-2, k.size(-2), kOp),
        kOp, ": needs q [..., T, D] and k [..., S, D], got q ", q.shape(), " and k ", k.shape());
  check_attention_options(kOp, options, q.shape().with(-1, k.size(-2), kOp));
  Tensor scores = matmul(q, k, {.b = true}) * options.scale_of(q.size(-1));
  if (options.bias.defined()) scores = scores + options.bias;
  constexpr Scalar kHidden = -std::numeric_limits<Scalar>::infinity();
  const auto hide = [&](const IndexTensor& visible) {
    scores = where(visible, scores, scalar(kHidden));
  };
  if (options.causal) hide(causal_mask(q.size(-2), k.size(-2), options.window));
  if (options.mask.defined()) hide(options.mask);
  return softmax(scores);
}

Tensor packed_self_attention(const Tensor& qkv, int heads, const AttentionOptions& options,
                             int kv_heads) {
  constexpr const char* kOp = "packed_self_attention";
  require_defined(kOp, {{"qkv", qkv}});
  const PackedHeads packed = packed_heads(kOp, qkv, heads, kv_heads);
  const std::array<Index, 4> weights{qkv.size(0), heads, qkv.size(1), qkv.size(1)};
  check_attention_options(kOp, options, Shape(weights, kOp));
  if (uses_fused()) {
    return fused_packed_self_attention(qkv, packed, options);
  }
  const std::vector<Tensor> parts = packed.split(qkv);
  const auto shared = [&](const Tensor& part) {
    return repeat_heads(split_heads(part, packed.keys), packed.group());
  };
  return join_heads(scaled_dot_product_attention(split_heads(parts[0], heads), shared(parts[1]),
                                                 shared(parts[2]), options));
}

}  // namespace gradus

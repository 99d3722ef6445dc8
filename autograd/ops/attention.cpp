#include "autograd/ops/attention.h"

#include <cmath>

#include "autograd/check.h"
#include "autograd/fused/attention_kernel.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"

namespace gradus {
namespace {

/// How the heads of one operand lie in memory: head h of batch b begins at b batch + h head.
struct Layout {
  Index batch;
  Index head;
  Index row;
};

Rows rows_of(const Tensor& x, Index column, const Layout& layout, Index batch, Index head) {
  return {x.data() + column + batch * layout.batch + head * layout.head, layout.row};
}

/// A mask or a bias, and where each head's part of it lies.
template <class Array, class Element>
struct PerHead {
  Array values;
  Shape leading;  // of the values
  Shape heads;    // what it broadcasts to

  PerHead(const char* op, const char* what, const Array& given, const Shape& weights)
      : values(given), heads(std::span(weights.begin(), weights.end() - 2)) {
    if (values.defined()) {
      check(values.rank() >= 1 && broadcast_shapes(op, values.shape(), weights) == weights, op,
            ": the ", what, " must broadcast to the weights ", weights, ", got ", values.shape());
      const auto end = values.shape().end();
      leading = Shape(std::span(values.shape().begin(), end - std::min(values.rank(), 2)));
    }
  }

  Grid<Element> of_head(Index i) const {
    if (!values.defined()) {
      return {};
    }
    const BroadcastPlan<1> plan(heads, {&leading});
    const Index at = plan.offsets(i / plan.sizes[0])[0] + i % plan.sizes[0] * plan.strides[0][0];
    const Index rows = values.rank() > 1 ? values.size(-2) : 1;
    const Index columns = values.size(-1);
    return {values.data() + at * rows * columns, rows > 1 ? columns : 0, columns > 1 ? 1 : 0};
  }
};

/// What all heads share.
struct Restrictions {
  AttentionOptions options;
  PerHead<IndexTensor, std::int32_t> mask;
  PerHead<Tensor, Scalar> bias;
  Shape weights;  // [..., T, S]

  Restrictions(const char* op, const AttentionOptions& given, const Shape& weights)
      : options(given),
        mask(op, "mask", given.mask, weights),
        bias(op, "bias", given.bias.detach(), weights),
        weights(weights) {
    check_dropout(op, options.dropout);
    options.bias = Tensor();
  }
};

/// The gradient of the scores, head by head, from which that of the bias is made: none unless the
/// bias wants one.
struct BiasGradient {
  Tensor scores;

  BiasGradient(bool wanted, const Shape& weights) : scores(wanted ? zeros(weights) : Tensor()) {}
  Scalar* of_head(Index i) const {
    return scores.defined() ? scores.data() + i * scores.size(-2) * scores.size(-1) : nullptr;
  }
  Tensor summed_to(const Tensor& bias) const {
    return scores.defined() ? sum_to(scores, bias.shape()) : Tensor();
  }
};

Scalar scale_of(const AttentionOptions& options, Index width) {
  return options.scale != 0 ? options.scale : 1 / std::sqrt(static_cast<Scalar>(width));
}

/// Calls `run(i)` for head number i of `heads`, spread over the threads.
template <class Run>
void for_each_head(Index heads, Index work, Run run) {
  parallel_for(heads, kElementGrain / (work + 1) + 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      run(i);
    }
  });
}

/// The part of a head's description that does not depend on where its operands lie.
AttentionHead describe(Index t, Index s, Index d, Index e, const Restrictions& by, Index i,
                       const Tensor& sums) {
  AttentionHead head{};
  head.queries = t;
  head.keys = s;
  head.width = d;
  head.out_width = e;
  head.scale = scale_of(by.options, d);
  head.bias = by.bias.of_head(i);
  head.causal = by.options.causal;
  head.mask = by.mask.of_head(i);
  head.dropout = by.options.dropout;
  head.random = by.options.key;
  head.first_weight = i * t * s;
  head.tops = sums.data() + 2 * i * t;
  head.inverses = head.tops + t;
  return head;
}

}  // namespace

Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options) {
  require_defined("scaled_dot_product_attention", {{"q", q}, {"k", k}, {"v", v}});
  constexpr const char* kOp = "scaled_dot_product_attention";
  const bool fits = q.rank() >= 2 && k.rank() == q.rank() && v.rank() == q.rank() &&
                    k.shape() == q.shape().with(-2, k.size(-2)) &&
                    v.shape() == k.shape().with(-1, v.size(-1));
  check(fits, kOp, ": needs q [..., T, D], k [..., S, D] and v [..., S, E], got q ", q.shape(),
        ", k ", k.shape(), " and v ", v.shape());
  const Index t = q.size(-2), s = k.size(-2), d = q.size(-1), e = v.size(-1);
  const Index heads = q.shape().product(0, q.rank() - 2);
  const Restrictions by(kOp, options, q.shape().with(-1, s));
  Tensor y(q.shape().with(-1, e));
  Tensor sums(Shape{heads, 2, t});
  const auto head_at = [=](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& y,
                           Index i) {
    AttentionHead head = describe(t, s, d, e, by, i, sums);
    head.q = {q.data() + i * t * d, d};
    head.k = {k.data() + i * s * d, d};
    head.v = {v.data() + i * s * e, e};
    head.out = {y.data() + i * t * e, e};
    return head;
  };
  for_each_head(heads, t * s * (d + e),
                [&](Index i) { attention_forward(head_at(q, k, v, y, i)); });
  const bool bias_learns = wants_gradient(options.bias);
  // saved: q, k, v, bias, y, sums
  return record(kOp, y, {q, k, v, options.bias},
                [=, q = q.detach(), k = k.detach(), v = v.detach()](const Tensor& dy,
                                                                    const Tensor& y) -> Gradients {
                  once_only(kOp, "attention_composed");
                  Tensor dq(q.shape()), dk(k.shape()), dv(v.shape());
                  const BiasGradient dbias(bias_learns, by.weights);
                  for_each_head(heads, t * s * (d + e), [&](Index i) {
                    attention_backward(head_at(q, k, v, y, i), {dy.data() + i * t * e, e},
                                       {dq.data() + i * t * d, d}, {dk.data() + i * s * d, d},
                                       {dv.data() + i * s * e, e}, dbias.of_head(i));
                  });
                  return {dq, dk, dv, dbias.summed_to(by.bias.values)};
                });
}

Tensor packed_self_attention(const Tensor& qkv, int heads, const AttentionOptions& options) {
  require_defined("packed_self_attention", {{"qkv", qkv}});
  constexpr const char* kOp = "packed_self_attention";
  check(heads >= 1 && qkv.rank() == 3 && qkv.size(-1) % (3 * heads) == 0, kOp,
        ": needs qkv [B, T, 3 C] with C a multiple of the ", heads, " heads, got ", qkv.shape());
  const Index b = qkv.size(0), t = qkv.size(1), c = qkv.size(2) / 3, d = c / heads;
  const Restrictions by(kOp, options, Shape{b, heads, t, t});
  const Layout packed{t * 3 * c, d, 3 * c};
  const Layout joined{t * c, d, c};
  Tensor y(Shape{b, t, c});
  Tensor sums(Shape{b * heads, 2, t});
  const auto head_at = [=](const Tensor& qkv, const Tensor& y, Index i) {
    AttentionHead head = describe(t, t, d, d, by, i, sums);
    head.q = rows_of(qkv, 0, packed, i / heads, i % heads);
    head.k = rows_of(qkv, c, packed, i / heads, i % heads);
    head.v = rows_of(qkv, 2 * c, packed, i / heads, i % heads);
    head.out = rows_of(y, 0, joined, i / heads, i % heads);
    return head;
  };
  for_each_head(b * heads, 2 * t * t * d, [&](Index i) { attention_forward(head_at(qkv, y, i)); });
  const bool bias_learns = wants_gradient(options.bias);
  // saved: qkv, bias, y, sums
  return record(kOp, y, {qkv, options.bias},
                [=, qkv = qkv.detach()](const Tensor& dy, const Tensor& y) -> Gradients {
                  once_only(kOp, "attention_composed");
                  Tensor dqkv(qkv.shape());
                  const BiasGradient dbias(bias_learns, by.weights);
                  for_each_head(b * heads, 2 * t * t * d, [&](Index i) {
                    attention_backward(
                        head_at(qkv, y, i), rows_of(dy, 0, joined, i / heads, i % heads),
                        rows_of(dqkv, 0, packed, i / heads, i % heads),
                        rows_of(dqkv, c, packed, i / heads, i % heads),
                        rows_of(dqkv, 2 * c, packed, i / heads, i % heads), dbias.of_head(i));
                  });
                  return {dqkv, dbias.summed_to(by.bias.values)};
                });
}

Tensor attention_weights(const Tensor& q, const Tensor& k, const AttentionOptions& options) {
  require_defined("attention_weights", {{"q", q}, {"k", k}});
  Tensor scores = matmul(q, k, {.b = true}) * scale_of(options, q.size(-1));
  if (options.bias.defined()) {
    scores = scores + options.bias;
  }
  constexpr Scalar kHidden = -std::numeric_limits<Scalar>::infinity();
  const auto hide = [&](const IndexTensor& visible) {
    scores = where(visible, scores, scalar(kHidden));
  };
  if (options.causal) {
    hide(causal_mask(q.size(-2), k.size(-2)));
  }
  if (options.mask.defined()) {
    hide(options.mask);
  }
  return softmax(scores);
}

Tensor attention_composed(const Tensor& q, const Tensor& k, const Tensor& v,
                          const AttentionOptions& options) {
  require_defined("attention_composed", {{"q", q}, {"k", k}, {"v", v}});
  return matmul(dropout(attention_weights(q, k, options), options.dropout, options.key), v);
}

}  // namespace gradus

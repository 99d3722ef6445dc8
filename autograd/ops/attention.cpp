#include "autograd/ops/attention.h"

#include <cmath>
#include <limits>

#include "autograd/check.h"
#include "autograd/fused/attention.h"
#include "autograd/fused/fused.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/softmax.h"

namespace gradus {
using namespace detail;

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
  if (uses_fused()) return fused::scaled_dot_product_attention(q, k, v, options);
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
  if (options.causal) hide(causal_mask(q.size(-2), k.size(-2)));
  if (options.mask.defined()) hide(options.mask);
  return softmax(scores);
}

}  // namespace gradus

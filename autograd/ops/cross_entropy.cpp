#include "autograd/ops/cross_entropy.h"

#include "autograd/check.h"
#include "autograd/fused/cross_entropy.h"
#include "autograd/fused/fused.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"

namespace gradus {
using namespace detail;

Tensor cross_entropy(const Tensor& logits, const IndexTensor& targets,
                     const CrossEntropyOptions& options) {
  require_defined("cross_entropy", {{"logits", logits}, {"targets", targets}});
  check(logits.rank() >= 1 && logits.size(-1) > 0 && logits.shape().without(-1) == targets.shape(),
        "cross_entropy: needs logits [..., V] with V > 0 and targets [...], got ", logits.shape(),
        " and ", targets.shape());
  check(options.label_smoothing >= 0 && options.label_smoothing <= 1,
        "cross_entropy: label_smoothing must be in [0, 1], got ", options.label_smoothing);
  const std::int32_t* t = targets.data();
  const Index rows = targets.size();
  Index count = 0;
  for (Index r = 0; r < rows; ++r) {
    check(t[r] == options.ignore_index || (t[r] >= 0 && t[r] < logits.size(-1)),
          "cross_entropy: target ", t[r], " at position ", r, " is not one of the ",
          logits.size(-1), " classes of logits ", logits.shape());
    count += t[r] != options.ignore_index;
  }
  const Scalar weight = count > 0 ? Scalar(1) / static_cast<Scalar>(count) : Scalar(0);
  if (uses_fused()) return fused::cross_entropy(logits, targets, options, weight);
  // Composed: `counts` is 1 where a position counts, `classes` its target there, and both else 0.
  IndexTensor counts(Shape{rows, 1}), classes(Shape{rows, 1});
  std::int32_t *counts_at = counts.mutable_data(), *classes_at = classes.mutable_data();
  for (Index r = 0; r < rows; ++r) {
    counts_at[r] = t[r] != options.ignore_index;
    classes_at[r] = counts_at[r] * t[r];
  }
  const Tensor x = reshape(logits, {rows, logits.size(-1)});
  const Tensor log_p = log_softmax(where(counts, x, scalar(0)));  // what is ignored may be NaN
  Tensor log_likelihoods = gather(log_p, 1, classes);
  if (options.label_smoothing > 0) {  // 0 times the -inf of a masked class would be NaN
    log_likelihoods = (1 - options.label_smoothing) * log_likelihoods +
                      options.label_smoothing * mean(log_p, -1, {.keepdim = true});
  }
  return -sum(where(counts, log_likelihoods, scalar(0))) * weight;
}

}  // namespace gradus

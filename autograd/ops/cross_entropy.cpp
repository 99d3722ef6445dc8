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
  check(logits.rank() >= 1 && logits.shape().without(-1) == targets.shape(),
        "cross_entropy: needs logits [..., V] and targets [...], got ", logits.shape(), " and ",
        targets.shape());
  check(options.label_smoothing >= 0 && options.label_smoothing <= 1,
        "cross_entropy: label_smoothing must be in [0, 1], got ", options.label_smoothing);
  Index count = 0;
  for (Index r = 0; r < targets.size(); ++r) {
    const std::int32_t target = targets.data()[r];
    check(target == options.ignore_index || (target >= 0 && target < logits.size(-1)),
          "cross_entropy: target ", target, " at position ", r, " is not one of the ",
          logits.size(-1), " classes of logits ", logits.shape());
    count += target != options.ignore_index;
  }
  const Scalar weight = count > 0 ? Scalar(1) / static_cast<Scalar>(count) : Scalar(0);
  if (uses_fused()) return fused::cross_entropy(logits, targets, options, weight);
  const Index rows = targets.size();
  IndexTensor chosen(Shape{rows, 1}), counted(Shape{rows, 1});
  std::int32_t *choose = chosen.mutable_data(), *count_in = counted.mutable_data();
  for (Index r = 0; r < rows; ++r) {
    const bool ignored = targets.data()[r] == options.ignore_index;
    choose[r] = ignored ? 0 : targets.data()[r];
    count_in[r] = ignored ? 0 : 1;
  }
  const Tensor x = reshape(logits, {rows, logits.size(-1)});
  const Tensor log_p = log_softmax(where(counted, x, scalar(0)));  // what is ignored may be NaN
  Tensor log_likelihoods = gather(log_p, 1, chosen);
  if (options.label_smoothing > 0) {  // 0 times the -inf of a masked class would be NaN
    log_likelihoods = (1 - options.label_smoothing) * log_likelihoods +
                      options.label_smoothing * mean(log_p, -1, {.keepdim = true});
  }
  return -sum(where(counted, log_likelihoods, scalar(0))) * weight;
}

}  // namespace gradus

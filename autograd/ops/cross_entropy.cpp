#include "autograd/ops/cross_entropy.h"

#include <cmath>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"

namespace gradus {
namespace {

/// Rows of logits below this many elements in all are not worth a second thread.
Index row_grain(Index classes) { return kElementGrain / (8 * classes + 1) + 1; }

/// losses[r] = -sum_c target distribution[c] ln softmax(logits[r])[c]; and, for backward, each
/// row's largest logit and the logarithm of its sum of exponentials beyond that. Added up, large
/// logits would swallow the latter.
void cross_entropy_forward(const Scalar* logits, const std::int32_t* targets, Index rows,
                           Index classes, const CrossEntropyOptions& options, Scalar* losses,
                           Scalar* tops, Scalar* log_sums) {
  const Scalar smoothing = options.label_smoothing;
  parallel_for(rows, row_grain(classes), [=](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      if (targets[r] == options.ignore_index) {
        losses[r] = tops[r] = log_sums[r] = 0;
        continue;
      }
      const Scalar* x = logits + r * classes;
      tops[r] = row_max(x, classes);
      log_sums[r] = std::log(row_sum_exp(x, tops[r], classes));
      losses[r] = log_sums[r] + (1 - smoothing) * (tops[r] - x[targets[r]]);
      if (smoothing > 0) {
        losses[r] += smoothing * (tops[r] - row_sum(x, classes) / static_cast<Scalar>(classes));
      }
    }
  });
}

/// gradient[r] = scale (softmax(logits[r]) - target distribution), 0 for ignored rows.
void cross_entropy_backward(const Scalar* logits, const std::int32_t* targets, const Scalar* tops,
                            const Scalar* log_sums, Index rows, Index classes,
                            const CrossEntropyOptions& options, Scalar scale, Scalar* gradient) {
  const Scalar spread = options.label_smoothing / static_cast<Scalar>(classes);
  parallel_for(rows, row_grain(classes), [=](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const Scalar* x = logits + r * classes;
      Scalar* d = gradient + r * classes;
      if (targets[r] == options.ignore_index) {
        std::fill(d, d + classes, Scalar(0));
        continue;
      }
      for (Index i = 0; i < classes; ++i) {
        d[i] = scale * (exp_of((x[i] - tops[r]) - log_sums[r]) - spread);
      }
      d[targets[r]] -= scale * (1 - options.label_smoothing);
    }
  });
}

/// Checks the arguments and returns how many positions count.
Index check_arguments(const Tensor& logits, const IndexTensor& targets,
                      const CrossEntropyOptions& options) {
  require_defined("cross_entropy", {{"logits", logits}, {"targets", targets}});
  check(targets.defined(), "cross_entropy: there are no targets");
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
  return count;
}

}  // namespace

Tensor cross_entropy(const Tensor& logits, const IndexTensor& targets,
                     const CrossEntropyOptions& options) {
  const Index count = check_arguments(logits, targets, options);
  const Index rows = targets.size();
  const Index classes = logits.size(-1);
  const Scalar share = count > 0 ? Scalar(1) / static_cast<Scalar>(count) : Scalar(0);
  Tensor losses(Shape{rows});
  Tensor tops(Shape{rows});
  Tensor log_sums(Shape{rows});
  cross_entropy_forward(logits.data(), targets.data(), rows, classes, options, losses.data(),
                        tops.data(), log_sums.data());
  double total = 0;
  for (Scalar loss : losses) {
    total += loss;
  }
  // saved: logits, targets, tops, log_sums
  return record("cross_entropy", scalar(static_cast<Scalar>(total * share)), {logits},
                [=, logits = logits.detach()](const Tensor& dy) -> Gradients {
                  once_only("cross_entropy", "cross_entropy_composed");
                  Tensor gradient(logits.shape());
                  cross_entropy_backward(logits.data(), targets.data(), tops.data(),
                                         log_sums.data(), rows, classes, options, dy.item() * share,
                                         gradient.data());
                  return {gradient};
                });
}

Tensor cross_entropy_composed(const Tensor& logits, const IndexTensor& targets,
                              const CrossEntropyOptions& options) {
  const Index count = check_arguments(logits, targets, options);
  const Index rows = targets.size();
  IndexTensor chosen(Shape{rows, 1}), counted(Shape{rows, 1});
  for (Index r = 0; r < rows; ++r) {
    const bool ignored = targets.data()[r] == options.ignore_index;
    chosen.data()[r] = ignored ? 0 : targets.data()[r];
    counted.data()[r] = ignored ? 0 : 1;
  }
  const Tensor log_p = reshape(log_softmax(logits), {rows, logits.size(-1)});
  Tensor gains = gather(log_p, 1, chosen);
  if (options.label_smoothing > 0) {  // 0 times the -inf of a masked class would be NaN
    gains = (1 - options.label_smoothing) * gains +
            options.label_smoothing * mean(log_p, -1, {.keepdim = true});
  }
  const Scalar share = count > 0 ? Scalar(1) / static_cast<Scalar>(count) : Scalar(0);
  return -sum(where(counted, gains, scalar(0))) * share;
}

}  // namespace gradus

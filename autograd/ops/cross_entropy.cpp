#include "autograd/ops/cross_entropy.h"

#include <algorithm>
#include <cmath>

#include "autograd/check.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/two_paths.h"

namespace gradus {
using namespace detail;
namespace {

/// losses[r] = -sum_c target distribution[c] ln softmax(logits[r])[c]; and, for the backward pass,
/// each row's largest logit, top, and the logarithm of its sum of e^(logit - top). If both were
/// added up, rounding would lose the logarithm beside a large top.
void cross_entropy_forward(const Scalar* logits, const std::int32_t* targets, Index rows,
                           Index classes, const CrossEntropyOptions& options, Scalar* losses,
                           Scalar* tops, Scalar* log_sums) {
  const Scalar smoothing = options.label_smoothing;
  parallel_for(rows, row_grain({8, classes}), [=](Index begin, Index end) {
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
  parallel_for(rows, row_grain({8, classes}), [=](Index begin, Index end) {
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

Tensor fused_cross_entropy(const Tensor& logits, const IndexTensor& targets,
                           const CrossEntropyOptions& options, Scalar weight) {
  const Index rows = targets.size(), classes = logits.size(-1);
  Tensor losses(Shape{rows}), tops(Shape{rows}), log_sums(Shape{rows});
  cross_entropy_forward(logits.data(), targets.data(), rows, classes, options,
                        losses.mutable_data(), tops.mutable_data(), log_sums.mutable_data());
  double total = 0;
  for (Scalar loss : losses) {
    total += loss;
  }
  // saved: logits, targets, tops, log_sums
  return record("cross_entropy", scalar(static_cast<Scalar>(total * weight)), {logits},
                [=, logits = Saved(logits), targets = Saved(targets)](const Tensor& dy) {
                  if (is_recording()) {
                    return composed_gradient(dy, logits, [=](const Tensor& logits) {
                      return cross_entropy(logits, targets, options);
                    });
                  }
                  Tensor gradient(logits->shape());
                  cross_entropy_backward(logits->data(), targets->data(), tops.data(),
                                         log_sums.data(), rows, classes, options,
                                         dy.item() * weight, gradient.mutable_data());
                  return gradient;
                });
}

}  // namespace

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
  if (uses_fused()) return fused_cross_entropy(logits, targets, options, weight);
  // Composed: `counts` is 1 and `classes` the target at positions that count; both are 0 at the
  // others.
  IndexTensor counts(Shape{rows, 1}), classes(Shape{rows, 1});
  std::int32_t *counts_at = counts.mutable_data(), *classes_at = classes.mutable_data();
  for (Index r = 0; r < rows; ++r) {
    counts_at[r] = t[r] != options.ignore_index;
    classes_at[r] = counts_at[r] * t[r];
  }
  const Tensor x = reshape(logits, {rows, logits.size(-1)});
  const Tensor log_p = log_softmax(where(counts, x, scalar(0)));  // ignored logits may be NaN
  Tensor log_likelihoods = gather(log_p, 1, classes);
  if (options.label_smoothing > 0) {  // 0 times the -inf of a masked class would be NaN
    log_likelihoods = (1 - options.label_smoothing) * log_likelihoods +
                      options.label_smoothing * mean(log_p, -1, {.keepdim = true});
  }
  return -sum(where(counts, log_likelihoods, scalar(0))) * weight;
}

}  // namespace gradus

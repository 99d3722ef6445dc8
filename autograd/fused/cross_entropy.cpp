#include "autograd/fused/cross_entropy.h"

#include <algorithm>
#include <cmath>

#include "autograd/fused/fused.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"

namespace gradus::fused {
using namespace detail;
namespace {

/// losses[r] = -sum_c target distribution[c] ln softmax(logits[r])[c]; and, for backward, each
/// row's largest logit and the logarithm of its sum of exponentials beyond that. Added up, large
/// logits would swallow the latter.
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

}  // namespace

Tensor cross_entropy(const Tensor& logits, const IndexTensor& targets,
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
                [=, logits = Saved(logits), targets = Saved(targets)](
                    const Tensor& dy, const Wanted& wanted) -> Gradients {
                  if (is_recording()) {
                    return detail::composed_gradients(dy, wanted, {logits}, [=](const auto& in) {
                      return gradus::cross_entropy(in[0], targets, options);
                    });
                  }
                  Tensor gradient(logits->shape());
                  cross_entropy_backward(logits->data(), targets->data(), tops.data(),
                                         log_sums.data(), rows, classes, options,
                                         dy.item() * weight, gradient.mutable_data());
                  return {gradient};
                });
}

}  // namespace gradus::fused

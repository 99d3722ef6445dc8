#include "nn/optim/train_options.h"

#include <cmath>
#include <limits>

#include "autograd/check.h"

namespace gradus {
using namespace detail;
namespace {

/// Whether a Scalar can hold the value: steps are computed in Scalar.
bool is_finite(double value) { return std::abs(value) <= std::numeric_limits<Scalar>::max(); }

/// Checks that the setting of `--flag` is finite and at least `low`.
template <class Number>
void at_least(const char* flag, Number value, Number low) {
  check(value >= low, "train: --", flag, " must be at least ", low, ", got ", value);
  check(is_finite(static_cast<double>(value)), "train: --", flag, " must be finite, got ", value);
}

template <class Number>
void at_most(const char* flag, Number value, Number high) {
  check(value <= high, "train: --", flag, " must be at most ", high, ", got ", value);
}

void share_below_1(const char* flag, double value) {
  check(value >= 0 && value < 1, "train: --", flag, " must be in [0, 1), got ", value);
}

}  // namespace

std::unique_ptr<Optimiser> TrainOptions::make_optimiser(std::vector<NamedTensor> parameters) const {
  OptimiserOptions options{.sgd = {.momentum = momentum}, .adamw = adamw};
  options.adam = {.beta1 = adamw.beta1,
                  .beta2 = adamw.beta2,
                  .epsilon = adamw.epsilon,
                  .weight_decay = adamw.weight_decay};
  options.muon.momentum = momentum;
  options.muon.adamw = adamw;
  return gradus::make_optimiser(optimiser, std::move(parameters), options);
}

void TrainOptions::validate() const {
  at_least("max_iters", max_iters, std::int64_t{0});
  at_most("max_iters", max_iters, kMostSteps);
  at_least("batch_size", batch_size, 1);
  at_least("gradient_accumulation_steps", gradient_accumulation_steps, 1);
  at_most("gradient_accumulation_steps", gradient_accumulation_steps, kMostAccumulationSteps);
  at_least("local_steps", local_steps, std::int64_t{0});
  at_least("learning_rate", schedule.rate, 0.0);
  at_least("min_lr", schedule.floor, 0.0);
  at_least("warmup_iters", schedule.warmup, std::int64_t{0});
  at_least("lr_decay_iters", schedule.decay, std::int64_t{0});
  check(!adamw.learning_rate, "train: adamw.learning_rate is not used (set schedule.rate)");
  share_below_1("beta1", adamw.beta1);
  share_below_1("beta2", adamw.beta2);
  check(adamw.epsilon > 0 && is_finite(adamw.epsilon),
        "train: AdamW's epsilon must be above 0, got ", adamw.epsilon);
  at_least("weight_decay", adamw.weight_decay, 0.0);
  at_least("grad_clip", grad_clip, 0.0);
  share_below_1("momentum", momentum);
  share_below_1("average", average);
  at_least("patience", patience, std::int64_t{0});
  at_least("eval_interval", eval_interval, std::int64_t{1});
  at_least("eval_iters", eval_iters, 0);
  at_most("eval_iters", eval_iters, kMostEvalIters);
}

}  // namespace gradus

#include "nn/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "nn/files/replace_folder.h"
#include "nn/mode.h"
#include "nn/names.h"

namespace gradus {
using namespace detail;
namespace {

// How a step numbers its random draws: micro-batches, then evaluation batches, alternating between
// the splits (all evaluations use the draws of one step, see below). Dropout begins at 65536 (see
// mode.cpp).
constexpr std::uint32_t kFirstEvalPlace = kMostAccumulationSteps;
static_assert(kFirstEvalPlace + 2 * kMostEvalIters <= 1 << 16);

/// Every evaluation draws the batches of this step: only the model changes from one to the next,
/// and the best checkpoint is not best by luck with its batches.
constexpr std::int64_t kEvalStep = 0;

/// Whether the evaluations of both draw the same batches.
bool evaluate_alike(const TrainOptions& a, const TrainOptions& b) {
  return a.seed == b.seed && a.batch_size == b.batch_size && a.eval_iters == b.eval_iters;
}

/// The first steps of a run fill memory and caches: a profile begins after them.
constexpr std::int64_t kWarmUpSteps = 2;

/// Takes the gradients away from the parameters, which can then collect others; undefined where
/// there is none.
Gradients taken_from(std::vector<NamedTensor>& parameters) {
  Gradients taken;
  for (NamedTensor& parameter : parameters) {
    taken.push_back(parameter.tensor.grad());
    parameter.tensor.zero_grad();
  }
  return taken;
}

void add_gradients(Gradients& sum, const Gradients& more) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (!sum[i].defined()) {
      sum[i] = more[i];
    } else if (more[i].defined()) {
      add_in_place(sum[i], more[i]);
    }
  }
}

std::string printed(double value) { return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"; }

}  // namespace

Trainer::Trainer(Task& task, const TrainOptions& options, std::filesystem::path out_dir,
                 Ranks* ranks)
    : task_(task),
      out_dir_(std::move(out_dir)),
      optimiser_((options.validate(), options.make_optimiser(trainable(task.parameters())))),
      learning_(trainable(task.parameters())),
      ranks_(ranks, options, learning_) {
  optimiser_->set_rules([&task](const NamedTensor& p, StepRule& rule) { task.set_rule(p, rule); });
  check(
      options.eval_iters > 0 || task.held_out_batches(options.batch_size) > 0,
      "train: --eval_iters must be at least 1 for this model, which evaluates on random examples, "
      "got 0");
  state_.options = options;
  if (options.average > 0) {
    average_.emplace(trainable(task.parameters()), options.average);
  }
  if (!out_dir_.empty()) {
    make_folder(out_dir_);
  }
}

void Trainer::resume(const std::filesystem::path& folder, const TrainState& state) {
  // The model was saved with the averages swapped in, and the weights to continue from in their
  // place.
  if (average_) {
    average_->swap();
  }
  load_optimiser(folder, *optimiser_, kept_with_the_optimiser());
  if (average_) {
    average_->swap();
    average_->set_updates(state.step);
  }
  if (optimiser_->steps() != state.step) {
    throw std::runtime_error(text(folder.string(), ": the optimiser's file is from step ",
                                  optimiser_->steps(), ", but the run is at step ", state.step,
                                  " (the files do not belong together)"));
  }
  const TrainOptions options = state_.options;
  state_ = state;
  first_step_ = state.step;
  state_.options = options;
  if (!evaluate_alike(options, state.options)) {
    state_.evaluated_step = -1;  // losses on other batches are not comparable
    state_.best_val_loss.reset();
  }
  saved_ = folder;
}

bool Trainer::run(const TrainCallbacks& callbacks) {
  const std::int64_t steps = state_.options.max_iters;
  const std::int64_t first_profiled = state_.step + kWarmUpSteps;
  bool going = evaluate_if_due(callbacks);
  while (going && state_.step < steps && !has_lost_patience()) {
    const StepReport report = step(state_.step < first_profiled ? nullptr : callbacks.profile);
    if (callbacks.on_step && std::isfinite(report.loss)) {  // otherwise the next mean ends the run
      callbacks.on_step(report);
    }
    going = ranks_.are_apart_after(state_.step) ||
            (!is_stopped(callbacks) && evaluate_if_due(callbacks));
  }
  if (!going) {  // otherwise checked by the last evaluation
    ranks_.check_copies(state_.step, saved_);
  }
  if (last_saved_ != state_.step && state_.step > 0) {  // before that nothing is learned
    save("last", callbacks);
  }
  return going;
}

bool Trainer::evaluate_if_due(const TrainCallbacks& callbacks) {
  const TrainOptions& options = state_.options;
  const bool due = state_.step % options.eval_interval == 0 || state_.step >= options.max_iters;
  if (!due || state_.evaluated_step == state_.step) {
    return true;
  }
  ranks_.check_copies(state_.step, saved_);
  const std::optional<EvalReport> report = evaluate(callbacks);
  if (!report) {
    return false;
  }
  state_.evaluated_step = state_.step;
  if (report->best) {
    state_.best_val_loss = report->val_loss;
    state_.best_step = state_.step;
  }
  if (callbacks.on_eval) {
    callbacks.on_eval(*report);
  }
  // `best` first: a run resumed from a `last` that counts this evaluation must find its `best`.
  if (report->best) {
    save("best", callbacks);
  }
  if (state_.step >= options.max_iters || (options.always_save_checkpoint && state_.step > 0)) {
    save("last", callbacks);
  }
  return true;
}

StepReport Trainer::step(Profile* profile) {
  const ProfileScope profiled(profile);
  const auto start = std::chrono::steady_clock::now();
  const TrainOptions& options = state_.options;
  StepReport report;
  report.step = state_.step;
  report.learning_rate =
      options.decay_lr ? options.schedule.at(state_.step) : options.schedule.rate;
  report.loss = accumulate_gradients();
  report.gradient_norm = optimiser_->gradient_norm();
  check_finite("the norm of the gradients", ranks_.value_to_check(report.gradient_norm));
  profile_mark("gradient norm");
  if (std::isfinite(report.gradient_norm)) {  // otherwise the next mean of ranks ends the run
    optimiser_->step(static_cast<Scalar>(report.learning_rate),
                     clip_scale(report.gradient_norm, options.grad_clip));
  }
  profile_mark(name_of(options.optimiser));
  if (average_) {
    average_->update();
    profile_mark("average");
  }
  state_.last_loss = report.loss;
  ++state_.step;
  if (ranks_.take_mean_after(state_.step)) {
    check_finite("a loss or gradient since the ranks' last mean", ranks_.values_since_mean());
    ranks_.take_mean(kept_between_steps());
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  report.milliseconds = 1000 * seconds.count();
  const Index tokens = task_.tokens_in(options.batch_size) * options.gradient_accumulation_steps;
  report.tokens_per_second = static_cast<double>(tokens) / seconds.count();
  return report;
}

std::vector<Tensor> Trainer::kept_between_steps() const {
  std::vector<Tensor> kept;
  for (const auto& list : {learning_, optimiser_->state(), kept_with_the_optimiser()}) {
    for (const NamedTensor& named : list) {
      kept.push_back(named.tensor);
    }
  }
  return kept;
}

double Trainer::accumulate_gradients() {
  const int batches = ranks_.batches_in_mean();
  const Scalar share = Scalar(1) / static_cast<Scalar>(batches);
  const ProductPrecisionScope precision(state_.options.dtype);
  optimiser_->zero_grad();
  profile_mark("zero grad");
  std::vector<double, PooledAllocator<double>> losses(
      static_cast<std::size_t>(state_.options.gradient_accumulation_steps));
  const auto gradients_of_batch = [&](int i) {
    losses[static_cast<std::size_t>(i)] = backward_of_batch(i, share);
    return taken_from(learning_);
  };
  const auto add = [](Gradients& to, const Gradients& more) {
    add_gradients(to, more);
    profile_mark("sum of gradients");
  };
  const StepShare& own = ranks_.share();
  const Gradients sum = sum_by_halves(own.first_batch, own.batches, gradients_of_batch, add);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    learning_[i].tensor.set_grad(sum[i]);
  }
  ranks_.after_gradients(losses);
  const double loss = std::accumulate(losses.begin(), losses.end(), 0.0);
  check_finite("loss", ranks_.value_to_check(loss));
  return loss / batches;
}

double Trainer::backward_of_batch(int i, Scalar share) {
  const auto step = static_cast<std::uint32_t>(state_.step), place = static_cast<std::uint32_t>(i);
  const RandomKey key{state_.options.seed, step, place};
  if (!ranks_.share().has_whole_batches) {
    return ranks_.backward_of_rows(task_, key, share);
  }
  const Training training(key.seed, step, place);
  const Tensor loss = batch_loss(Split::kTrain, state_.step, place);
  backward(loss, scalar(share));  // the gradient of their mean
  return loss.item();
}

bool Trainer::is_stopped(const TrainCallbacks& callbacks) {
  return ranks_.any(callbacks.should_stop && callbacks.should_stop());
}

std::optional<EvalReport> Trainer::evaluate(const TrainCallbacks& callbacks) {
  const NoGrad no_grad;
  const WeightAverage::InUse in_use(average_ ? &*average_ : nullptr);
  const bool is_first_look = state_.step == 0 && state_.options.max_iters > 0;
  const TrainOptions& options = state_.options;
  const bool is_whole = !is_first_look && options.eval_iters == 0;
  const std::int64_t batches = is_first_look ? 1
                               : is_whole    ? task_.held_out_batches(options.batch_size)
                                             : options.eval_iters;
  const std::int64_t train_batches = std::min<std::int64_t>(batches, kMostEvalIters);
  std::vector<double> train(static_cast<std::size_t>(batches)), val = train, weights = train;
  for (std::int64_t i = 0; i < batches; ++i) {
    if (ranks_.has_batch(i)) {
      const auto n = static_cast<std::size_t>(i);
      const std::uint32_t place = kFirstEvalPlace + 2 * static_cast<std::uint32_t>(i);
      if (i < train_batches) {
        train[n] = batch_loss(Split::kTrain, kEvalStep, place).item();
      }
      const MeanLoss held_out =
          is_whole ? held_out_loss(i) : MeanLoss{batch_loss(Split::kVal, kEvalStep, place + 1), 1};
      weights[n] = held_out.predictions;
      val[n] = held_out.predictions * held_out.mean.item();
    }
    if (callbacks.on_eval_progress) {
      callbacks.on_eval_progress(i + 1, batches);
    }
    if ((ranks_.ends_round(i) || i == batches - 1) && is_stopped(callbacks)) {
      return std::nullopt;
    }
  }
  ranks_.collect(train);
  ranks_.collect(val);
  ranks_.collect(weights);
  const auto sum = [](const std::vector<double>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
  };
  EvalReport report{.step = state_.step,
                    .train_loss = sum(train) / static_cast<double>(train_batches),
                    .val_loss = sum(val) / sum(weights)};
  check_finite("train loss", report.train_loss);
  check_finite("validation loss", report.val_loss);
  if (!is_first_look) {
    report.best = !state_.best_val_loss || report.val_loss < *state_.best_val_loss;
    if (ranks_.is_first()) {
      report.scores = task_.scores();
    }
  }
  return report;
}

MeanLoss Trainer::held_out_loss(std::int64_t i) {
  const ProductPrecisionScope precision(state_.options.dtype);
  return task_.held_out_loss(i, state_.options.batch_size);
}

Tensor Trainer::batch_loss(Split split, std::int64_t step, std::uint32_t place) {
  const ProductPrecisionScope precision(state_.options.dtype);
  const RandomKey key{state_.options.seed, static_cast<std::uint32_t>(step), place};
  return task_.loss(split, state_.options.batch_size, key);
}

void Trainer::save(const char* which, const TrainCallbacks& callbacks) {
  if (out_dir_.empty()) {
    return;
  }
  const WeightAverage::InUse in_use(average_ ? &*average_ : nullptr);
  // A step with finite gradients may still have made parameters overflow.
  for (const auto& [name, tensor, role] : task_.parameters()) {
    for (const Scalar value : tensor) {
      check_finite(name.c_str(), value);
    }
  }
  if (callbacks.before_checkpoint) {
    callbacks.before_checkpoint();
  }
  const std::filesystem::path folder = out_dir_ / which;
  save_checkpoint(
      folder, [this](const std::filesystem::path& into) { task_.save(into); }, state_, *optimiser_,
      kept_with_the_optimiser());
  saved_ = folder;
  if (std::string_view(which) == "last") {
    last_saved_ = state_.step;
  }
  if (callbacks.on_checkpoint) {
    callbacks.on_checkpoint(folder);
  }
}

std::vector<NamedTensor> Trainer::kept_with_the_optimiser() const {
  return average_ ? average_->state() : std::vector<NamedTensor>();
}

bool Trainer::has_lost_patience() const {
  const TrainOptions& options = state_.options;
  return options.patience > 0 && state_.best_val_loss.has_value() &&
         (state_.evaluated_step - state_.best_step) / options.eval_interval >= options.patience;
}

void Trainer::check_finite(const char* what, double value) const {
  if (std::isfinite(value)) {
    return;
  }
  if (state_.step == first_step_) {  // nothing that this run chose has had an effect yet
    throw DivergedError(
        text(what, " is ", printed(value), " at step ", state_.step,
             ", before this run changed the weights: the weights are too large, or do not "
             "fit the data (start from other weights)"));
  }
  const double clip = state_.options.grad_clip;
  throw DivergedError(text(what, " is ", printed(value), " at step ", state_.step,
                           " (try a lower --learning_rate, a longer --warmup_iters or ",
                           clip == 0 || clip > 1 ? "--grad_clip=1.0" : "a lower --grad_clip",
                           saved_.empty() ? "" : "; the last good checkpoint is " + saved_.string(),
                           ")"));
}

}  // namespace gradus

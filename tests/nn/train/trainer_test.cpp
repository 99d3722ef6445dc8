#include "nn/train/trainer.h"

#include <algorithm>
#include <cmath>

#include "nn/files/gpt_files.h"
#include "nn/train/exact_loss.h"
#include "tests/nn/recorded_run.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

/// Two parameters with the same gradient, 1; one has half the rate.
struct HalfRate final : Task {
  Tensor slow = zeros({1}).set_requires_grad(), fast = zeros({1}).set_requires_grad();

  std::vector<NamedTensor> parameters() override { return {{"slow", slow}, {"fast", fast}}; }
  void set_rule(const NamedTensor& parameter, StepRule& rule) const override {
    if (parameter.name == "slow") rule.rate = 0.5;
  }
  Tensor loss(Split, int, const RandomKey&) override { return sum(slow + fast); }
  Index tokens_in(int batch_size) const override { return batch_size; }
  void save(const std::filesystem::path&) override {}
};

/// A loss that is 0, with a gradient that is not finite.
struct SteepLoss final : Task {
  Scalar steepness;
  Tensor w = zeros({1}).set_requires_grad();

  explicit SteepLoss(Scalar steepness) : steepness(steepness) {}
  std::vector<NamedTensor> parameters() override { return {{"w", w}}; }
  Tensor loss(Split, int, const RandomKey&) override {
    return record("steep", scalar(0), {w},
                  [this](const Tensor&) -> Gradients { return {full({1}, steepness)}; });
  }
  Index tokens_in(int batch_size) const override { return batch_size; }
  void save(const std::filesystem::path&) override {}
};

/// The loss of batch number `place` of step 0.
Tensor batch_loss(const TinyRun& run, const Gpt& model, std::uint32_t place) {
  Batch batch;
  random_batch(run.corpus.tokens(Split::kTrain), 3, 7, {run.options.seed, 0, place}, batch);
  return model.loss(IndexTensor({3, 7}, batch.inputs), IndexTensor({3, 7}, batch.targets));
}

}  // namespace

TEST_CASE("trainer: evaluates every eval_interval steps and at the end, and learns") {
  const TinyRun run;
  const TemporaryFolder folder;
  Record record;
  train(run, folder.path / "out", false, kNever, record);
  CHECK(record.complete);
  CHECK(record.steps.size() == 20);
  std::vector<std::int64_t> evaluated;
  for (const auto& [step, losses] : record.evals) evaluated.push_back(step);
  CHECK(evaluated == std::vector<std::int64_t>{0, 7, 14, 20});
  CHECK(record.evals.at(0).second ==
        doctest::Approx(std::log(run.config.vocab_size)).epsilon(0.05));
  CHECK(record.evals.at(20).second < record.evals.at(0).second - 0.1);
}

TEST_CASE("trainer: eval_iters 0 evaluates all that is held out, and changes no weight") {
  TinyRun run;
  const TemporaryFolder folder;
  Record drawn, whole;
  train(run, folder.path / "drawn", false, kNever, drawn);
  run.options.eval_iters = 0;
  train(run, folder.path / "whole", false, kNever, whole);
  const auto weights = [&](const char* name) {
    return bytes_of(folder.path / name / "last" / "model.safetensors");
  };
  CHECK(weights("drawn") == weights("whole"));
  const auto held_out = run.corpus.tokens(Split::kVal);
  const Gpt last = load_gpt(folder.path / "whole" / "last");
  CHECK(whole.evals.at(20).second ==
        doctest::Approx(exact_loss(last, held_out, 16).loss).epsilon(1e-6));
  CHECK(whole.evals.at(20).second != drawn.evals.at(20).second);
}

TEST_CASE("trainer: a task that only draws its held-out examples needs a number of batches") {
  HalfRate task;
  CHECK_FAILS(Trainer(task, {.max_iters = 1, .eval_iters = 0}, ""),
              "--eval_iters must be at least 1 for this model");
}

TEST_CASE("trainer: before the first step it looks at one batch of each split, and saves nothing") {
  TinyRun run;
  run.options.eval_iters = 5;
  const TemporaryFolder folder;
  Gpt model(run.config, run.options.seed);
  GptTask task(model, run.corpus, run.tokenizer);
  Trainer trainer(task, run.options, folder.path);
  std::vector<std::int64_t> batches;
  TrainCallbacks callbacks;
  bool saved = false;
  callbacks.on_eval_progress = [&](std::int64_t, std::int64_t of) { batches.push_back(of); };
  callbacks.on_checkpoint = [&](const std::filesystem::path&) { saved = true; };
  callbacks.on_step = [&](const StepReport& report) {
    if (report.step > 0) return;
    CHECK(batches == std::vector<std::int64_t>{1});
    CHECK_FALSE(saved);
    CHECK_FALSE(trainer.state().best_val_loss.has_value());
  };
  CHECK(trainer.run(callbacks));
  CHECK(batches.size() == 1 + 3 * 5);
  CHECK(saved);
}

TEST_CASE("trainer: patience ends a run that becomes no better") {
  TinyRun run;
  run.options.max_iters = 2000;
  run.options.schedule = {.rate = 0.1, .floor = 0.1, .warmup = 0, .decay = 2000};
  run.options.eval_interval = 5;
  run.options.patience = 3;
  const TemporaryFolder folder;
  Record record;
  train(run, folder.path, false, kNever, record);
  CHECK(record.complete);
  const TrainState state = *load_checkpoint(folder.path / "last").state;
  CHECK(state.step < 2000);
  CHECK(state.step == state.best_step + 15);
}

TEST_CASE("trainer: a step's loss is the mean of its batches, each with other dropout") {
  TinyRun run;
  run.options.max_iters = 1;
  const TemporaryFolder folder;
  Record record;
  train(run, folder.path, false, kNever, record);
  const Gpt model(run.config, run.options.seed);
  const auto loss_of = [&](std::uint32_t batch) {
    const Training training(run.options.seed, 0, batch);
    return static_cast<double>(batch_loss(run, model, batch).item());
  };
  CHECK(record.steps.at(0).first == (loss_of(0) + loss_of(1)) / 2);
}

TEST_CASE("trainer: evaluates on the same batches each time") {
  TinyRun run;
  run.options.schedule.rate = run.options.schedule.floor = 0;  // the model does not change
  const TemporaryFolder folder;
  Record record;
  train(run, folder.path / "out", false, kNever, record);
  CHECK(record.evals.size() == 4);
  for (std::int64_t step : {14, 20}) CHECK(record.evals.at(step) == record.evals.at(7));
  CHECK(record.steps.at(1).first != record.steps.at(0).first);  // training batches differ
}

TEST_CASE("trainer: evaluations drop nothing") {
  TinyRun run;
  run.options.max_iters = 0;
  const TemporaryFolder folder;
  Record with, without;
  train(run, folder.path / "with", false, kNever, with);
  run.config.dropout = 0;
  train(run, folder.path / "without", false, kNever, without);
  CHECK(with.evals == without.evals);
}

TEST_CASE("trainer: the gradient of accumulated batches is the gradient of their mean") {
  TinyRun run;
  run.config.dropout = 0;
  run.options.max_iters = 1;
  const auto norm_with = [&](int batches) {
    run.options.gradient_accumulation_steps = batches;
    Record record;
    const TemporaryFolder folder;
    train(run, folder.path, false, kNever, record);
    return record.steps.at(0).second;
  };
  Gpt model(run.config, run.options.seed);
  const AdamW optimiser(parameters(model), {});
  for (std::uint32_t place = 0; place < 3; ++place) {
    backward(batch_loss(run, model, place) / 3);
  }
  CHECK(norm_with(3) == doctest::Approx(optimiser.gradient_norm()).epsilon(1e-6));
  CHECK(norm_with(1) != doctest::Approx(optimiser.gradient_norm()).epsilon(1e-3));
}

TEST_CASE("trainer: gradients are clipped before AdamW sees them") {
  TinyRun run;
  run.options.max_iters = 1;
  run.options.adamw.weight_decay = 0;
  const auto largest_change = [&](double clip) {
    run.options.grad_clip = clip;
    const TemporaryFolder folder;
    Record record;
    train(run, folder.path, false, kNever, record);
    Gpt fresh(run.config, run.options.seed);
    const std::vector<Scalar> before = all_values(parameters(fresh));
    Scalar largest = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      largest = std::max(largest, std::abs(record.parameters[i] - before[i]));
    }
    return largest;
  };
  const double rate = run.options.schedule.at(0);
  CHECK(largest_change(0) == doctest::Approx(rate).epsilon(1e-3));  // the size of a first step
  CHECK(largest_change(1e-12) < rate / 1000);                       // gradients far below epsilon
}

TEST_CASE("trainer: a rate that does not decay, and its report") {
  TinyRun run;
  run.options.decay_lr = false;
  run.options.max_iters = 3;
  Gpt model(run.config);
  GptTask task(model, run.corpus, run.tokenizer);
  Trainer trainer(task, run.options, "");
  std::vector<double> rates;
  TrainCallbacks callbacks;
  callbacks.on_step = [&](const StepReport& report) {
    rates.push_back(report.learning_rate);
    CHECK(report.milliseconds > 0);
    CHECK(report.tokens_per_second == doctest::Approx(2 * 21 / report.milliseconds * 1000));
  };
  CHECK(trainer.run(callbacks));
  CHECK(rates == std::vector<double>(3, 1e-2));
  CHECK(trainer.state().step == 3);
}

TEST_CASE("trainer: a task's rules hold, also after resuming") {
  TrainOptions options{.max_iters = 2, .decay_lr = false, .optimiser = OptimiserKind::kSgd};
  options.schedule.rate = 0.25;
  options.grad_clip = 0;
  options.eval_iters = 1;
  const TemporaryFolder folder;
  HalfRate task;
  Trainer begun(task, options, folder.path);
  CHECK(begun.run({}));
  CHECK(task.fast.item() == -0.5);
  CHECK(task.slow.item() == -0.25);
  options.max_iters = 4;
  Trainer resumed(task, options, folder.path);
  resumed.resume(folder.path / "last", begun.state());
  CHECK(resumed.run({}));
  CHECK(task.fast.item() == -1);
  CHECK(task.slow.item() == -0.5);
}

TEST_CASE("trainer: a NaN in the model is found before a step spreads it") {
  const TinyRun run;
  Gpt model(run.config);
  std::get<LayerNorm>(model.ln_f.kind).weight.mutable_data()[3] = kNaN;
  GptTask task(model, run.corpus, run.tokenizer);
  Trainer trainer(task, run.options, "");
  CHECK_THROWS_WITH_AS(trainer.run({}),
                       doctest::Contains("train loss is nan at step 0, before this run changed"),
                       DivergedError);
}

TEST_CASE("trainer: a gradient that is not finite ends the run, clipped or not, without a step") {
  for (const Scalar steepness : {INFINITY, NAN}) {
    for (const double clip : {0.0, 1.0}) {
      SteepLoss task(steepness);
      TrainOptions options;
      options.max_iters = 2;
      options.grad_clip = clip;
      Trainer trainer(task, options, {});
      CHECK_THROWS_WITH_AS(
          trainer.run({}),
          doctest::Contains(std::isnan(steepness) ? "the norm of the gradients is nan at step 0"
                                                  : "the norm of the gradients is inf at step 0"),
          DivergedError);
      CHECK(task.w.item() == 0);
    }
  }
}

TEST_CASE("trainer: options, tokenizers and corpora that do not fit are named") {
  TinyRun run;
  Gpt model(run.config);
  const CharTokenizer other(U"abc");
  CHECK_FAILS(GptTask(model, run.corpus, other),
              "the tokenizer has 3 tokens, but the model a vocabulary of 6");
  run.config.n_positions = 100;
  Gpt long_sighted(run.config);
  CHECK_FAILS(GptTask(long_sighted, run.corpus, run.tokenizer), "100");
  run.options.batch_size = 0;
  GptTask task(model, run.corpus, run.tokenizer);
  CHECK_FAILS(Trainer(task, run.options, ""), "--batch_size");
}

#include <algorithm>
#include <cmath>

#include "nn/files/gpt_files.h"
#include "tests/nn/recorded_run.h"

using namespace gradus;
using namespace gradus::detail;

TEST_CASE("trainer: stopped after any step and resumed, it does the same, bit for bit") {
  const TinyRun run;
  REQUIRE(run.config.dropout > 0);
  REQUIRE(run.options.gradient_accumulation_steps == 2);
  const TemporaryFolder folder;
  Record whole;
  train(run, folder.path / "whole", false, kNever, whole);
  for (std::int64_t stop = 1; stop <= 20; ++stop) {
    CAPTURE(stop);
    const std::filesystem::path out = folder.path / std::to_string(stop);
    Record parts;
    train(run, out, false, stop, parts);
    CHECK_FALSE(parts.complete);
    train(run, out, true, kNever, parts);
    CHECK(parts == whole);
  }
}

TEST_CASE("trainer: in bfloat16 it learns the same but for rounding, and resumes bit for bit") {
  if (bfloat16_obstacle() != nullptr) {
    return;
  }
  TinyRun run;  // with products large enough for rounding
  run.config.n_positions = 15;
  run.config.n_embd = 64;
  run.options.batch_size = 16;
  const TemporaryFolder folder;
  Record full, rounded, parts;
  train(run, folder.path / "full", false, kNever, full);
  run.options.dtype = ProductPrecision::kBfloat16;
  train(run, folder.path / "rounded", false, kNever, rounded);
  for (const auto& [step, losses] : full.steps) {
    CHECK(rounded.steps.at(step).first != losses.first);
    CHECK(rounded.steps.at(step).first == doctest::Approx(losses.first).epsilon(0.01));
  }
  CHECK(rounded.evals.at(20).second == doctest::Approx(full.evals.at(20).second).epsilon(0.01));
  train(run, folder.path / "parts", false, 9, parts);
  CHECK(load_checkpoint(folder.path / "parts" / "last").state->options.dtype ==
        ProductPrecision::kBfloat16);
  train(run, folder.path / "parts", true, kNever, parts);
  CHECK(parts == rounded);
}

TEST_CASE("trainer: stopped before the first step, it leaves no checkpoint") {
  const TinyRun run;
  for (const bool in_the_look : {false, true}) {
    const TemporaryFolder folder;
    Gpt model(run.config, run.options.seed);
    GptTask task(model, run.corpus, run.tokenizer);
    Trainer trainer(task, run.options, folder.path);
    bool stop = in_the_look;
    TrainCallbacks callbacks;
    callbacks.on_eval = [&](const EvalReport&) { stop = true; };
    callbacks.should_stop = [&] { return stop; };
    CHECK_FALSE(trainer.run(callbacks));
    CHECK(trainer.state().step == (in_the_look ? 0 : 1));
    CHECK(std::filesystem::exists(folder.path / "last") == !in_the_look);
    CHECK_FALSE(std::filesystem::exists(folder.path / "best"));
  }
}

TEST_CASE(
    "trainer: with every optimiser, schedule and an average, resuming changes no bit either") {
  const TemporaryFolder folder;
  for (std::size_t i = 0; i < names_of(OptimiserKind{}).size(); ++i) {
    TinyRun run;
    run.options.optimiser = static_cast<OptimiserKind>(i);
    run.options.schedule.kind = static_cast<ScheduleKind>(i % names_of(ScheduleKind{}).size());
    run.options.average = i % 2 == 0 ? 0.8 : 0;
    CAPTURE(i);
    const std::filesystem::path whole_out = folder.path / text("whole", i).c_str(),
                                out = folder.path / text("out", i).c_str();
    Record whole, parts;
    train(run, whole_out, false, kNever, whole);
    train(run, out, false, 9, parts);
    train(run, out, true, kNever, parts);
    CHECK(parts == whole);
    CHECK(whole.evals.at(20).second < whole.evals.at(0).second);
    CHECK(load_checkpoint(out / "last").state->options.optimiser == run.options.optimiser);
    CHECK(load_checkpoint(out / "last").state->options.schedule.kind == run.options.schedule.kind);
  }
}

TEST_CASE(
    "trainer: with an average, the model that is saved is the mean of the weights on the way") {
  TinyRun run;
  run.options.max_iters = 3;
  run.options.average = 0.5;
  const TemporaryFolder folder;
  Gpt model(run.config, run.options.seed);
  GptTask task(model, run.corpus, run.tokenizer);
  Trainer trainer(task, run.options, folder.path);
  std::vector<double> mean(all_values(parameters(model)).size());
  TrainCallbacks callbacks;
  callbacks.on_step = [&](const StepReport& report) {
    const double share =
        1 / (2 - std::pow(0.5, report.step));  // 0.5^k divided by their sum, the newest first
    const std::vector<Scalar> now = all_values(parameters(model));
    for (std::size_t i = 0; i < now.size(); ++i) mean[i] += share * (now[i] - mean[i]);
  };
  trainer.run(callbacks);
  Checkpoint kept = load_checkpoint(folder.path / "last");
  const std::vector<Scalar> saved = all_values(parameters(kept.model));
  const std::vector<Scalar> last = all_values(parameters(model));
  double off = 0, moved = 0;
  for (std::size_t i = 0; i < saved.size(); ++i) {
    off = std::max(off, std::abs(saved[i] - mean[i]));
    moved = std::max(moved, std::abs(double{saved[i]} - last[i]));
  }
  CHECK(off < 1e-6);
  CHECK(moved > 1e-3);
}

TEST_CASE("trainer: stopped after every single step, it still does the same") {
  const TinyRun run;
  const TemporaryFolder folder;
  Record whole, parts;
  train(run, folder.path / "whole", false, kNever, whole);
  train(run, folder.path / "out", false, 1, parts);
  for (std::int64_t stop = 2; stop <= 20; ++stop) {
    train(run, folder.path / "out", true, stop, parts);
  }
  train(run, folder.path / "out", true, kNever, parts);
  CHECK(parts == whole);
}

TEST_CASE("trainer: resumed with other evaluation batches, it looks for the best anew") {
  using Steps = std::vector<std::int64_t>;
  // In one direction the other batches have the higher loss.
  for (const auto& [before, after] : {std::pair(2, 2), std::pair(2, 3), std::pair(3, 2)}) {
    TinyRun run;
    run.options.schedule.rate = run.options.schedule.floor = 0;  // the model does not change
    run.options.eval_iters = before;
    const TemporaryFolder folder;
    Record record;
    train(run, folder.path / "out", false, 10, record);
    CHECK(record.best == Steps{7});
    run.options.eval_iters = after;
    train(run, folder.path / "out", true, kNever, record);
    CHECK(record.best == (before == after ? Steps{7} : Steps{7, 14}));

    run.options.eval_iters = after + 1;  // in the finished run
    Record again;
    train(run, folder.path / "out", true, kNever, again);
    CHECK(again.best == Steps{20});
  }
}

TEST_CASE("trainer: best holds the model of the lowest validation loss, last the last") {
  TinyRun run;
  run.options.schedule = {.rate = 1, .floor = 1, .warmup = 12};  // in the end far too high
  run.options.eval_interval = 1;
  run.options.max_iters = 12;
  const TemporaryFolder folder;
  Record record;
  train(run, folder.path, false, kNever, record);
  record.evals.erase(0);  // not a candidate for the best
  const auto lower = [](const auto& a, const auto& b) { return a.second.second < b.second.second; };
  const auto best = std::ranges::min_element(record.evals, lower);
  REQUIRE(best->first != 12);
  const TrainState state = *load_checkpoint(folder.path / "best").state;
  CHECK(state.step == best->first);
  CHECK(state.best_step == best->first);
  CHECK(state.best_val_loss == best->second.second);
  const TrainState last = *load_checkpoint(folder.path / "last").state;
  CHECK(last.step == 12);
  CHECK(last.best_step == best->first);
  CHECK(last.last_loss == record.steps.at(11).first);
}

TEST_CASE("trainer: writes last at every evaluation, or only at the end, as told") {
  TinyRun run;
  for (const bool always : {true, false}) {
    run.options.always_save_checkpoint = always;
    const TemporaryFolder folder;
    Gpt model(run.config);
    GptTask task(model, run.corpus, run.tokenizer);
    Trainer trainer(task, run.options, folder.path);
    std::vector<std::int64_t> lasts;
    TrainCallbacks callbacks;
    bool begun = false;
    callbacks.before_checkpoint = [&] {
      CHECK_FALSE(begun);
      begun = true;
      const std::optional<TrainState> last = load_state(folder.path / "last");
      CHECK((!last || last->step < trainer.state().step));
    };
    callbacks.on_checkpoint = [&](const std::filesystem::path& path) {
      CHECK(std::exchange(begun, false));
      if (path.filename() == "last") lasts.push_back(trainer.state().step);
    };
    trainer.run(callbacks);
    CHECK(lasts == (always ? std::vector<std::int64_t>{7, 14, 20} : std::vector<std::int64_t>{20}));
  }
}

TEST_CASE("trainer: stopped within an evaluation, it does that evaluation when resumed") {
  const TinyRun run;
  const TemporaryFolder folder;
  Record whole, parts;
  train(run, folder.path / "whole", false, kNever, whole);
  const std::filesystem::path out = folder.path / "out";
  Gpt model(run.config, run.options.seed);
  GptTask task(model, run.corpus, run.tokenizer);
  Trainer trainer(task, run.options, out);
  TrainCallbacks callbacks;
  bool evaluating = false;
  callbacks.on_step = [&](const StepReport& report) {
    parts.steps[report.step] = {report.loss, report.gradient_norm};
  };
  callbacks.on_eval = [&](const EvalReport& report) {
    parts.evals[report.step] = {report.train_loss, report.val_loss};
    if (report.best) parts.best.push_back(report.step);
  };
  callbacks.on_eval_progress = [&](std::int64_t done, std::int64_t of) {
    CHECK(of == (trainer.state().step == 0 ? 1 : 2));
    evaluating = done == 1 && trainer.state().step == 14;
  };
  callbacks.should_stop = [&] { return evaluating; };
  CHECK_FALSE(trainer.run(callbacks));
  CHECK(parts.evals.size() == 2);
  train(run, out, true, kNever, parts);
  CHECK(parts == whole);
}

TEST_CASE("trainer: a run that is complete does nothing more, and may go on with more steps") {
  TinyRun run;
  const TemporaryFolder folder;
  Record record;
  train(run, folder.path, false, kNever, record);
  const std::vector<Scalar> trained = record.parameters;
  train(run, folder.path, true, kNever, record);
  CHECK(record.complete);
  CHECK(record.parameters == trained);
  run.options.max_iters = 22;
  train(run, folder.path, true, kNever, record);
  CHECK(record.steps.size() == 22);
  CHECK(load_checkpoint(folder.path / "last").state->step == 22);
}

TEST_CASE("trainer: a NaN loss stops the run and leaves the last good checkpoint") {
  TinyRun run;
  const TemporaryFolder folder;
  Record record;
  train(run, folder.path, false, 3, record);
  run.options.schedule.rate = 1e38;
  run.options.grad_clip = 0;
  run.options.eval_interval = 100;
  CHECK_THROWS_WITH_AS(train(run, folder.path, true, kNever, record),
                       doctest::Contains("(try a lower --learning_rate, a longer --warmup_iters or "
                                         "--grad_clip=1.0; the last good checkpoint is "),
                       DivergedError);
  const std::string last = (folder.path / "last").string();
  record = {};
  CHECK_THROWS_WITH_AS(train(run, folder.path, true, kNever, record),
                       doctest::Contains(last.c_str()), DivergedError);
  Checkpoint kept = load_checkpoint(folder.path / "last");
  CHECK(kept.state->step == 3);
  CHECK(std::ranges::all_of(all_values(parameters(kept.model)),
                            [](Scalar w) { return std::isfinite(w); }));
}

TEST_CASE("trainer: parameters that a step has thrown out of range are never saved") {
  TinyRun run;
  run.options.eval_interval = 100;
  const TemporaryFolder folder;
  Gpt model(run.config);
  GptTask task(model, run.corpus, run.tokenizer);
  Trainer trainer(task, run.options, folder.path);
  TrainCallbacks callbacks;
  callbacks.on_step = [&](const StepReport&) { model.wte.weight.mutable_data()[0] = kInf; };
  callbacks.should_stop = [&] { return trainer.state().step == 1; };
  CHECK_THROWS_WITH_AS(trainer.run(callbacks),
                       doctest::Contains("transformer.wte.weight is inf at step 1"), DivergedError);
  CHECK_FALSE(std::filesystem::exists(folder.path / "last"));
}

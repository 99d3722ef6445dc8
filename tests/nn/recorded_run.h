/// @file
/// Shared by the trainer's tests: trains a tiny run and records all its reports.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "nn/files/gpt_files.h"
#include "nn/tasks/gpt_task.h"
#include "nn/train/trainer.h"
#include "tests/autograd/expect.h"
#include "tests/nn/tiny_run.h"

namespace gradus {

/// All numbers that a run reports, and its final parameters.
struct Record {
  std::map<std::int64_t, std::pair<double, double>> steps;  // loss, gradient norm
  std::map<std::int64_t, std::pair<double, double>> evals;  // train loss, val loss
  std::vector<std::int64_t> best;                           // the steps with the best loss so far
  std::vector<Scalar> parameters;
  std::string optimiser;  // the bytes of the optimiser's file
  bool complete = false;

  bool operator==(const Record&) const = default;
};

/// Trains in `out`, from the last checkpoint there if `resume`, and adds to the record. Stops after
/// `stop` steps.
inline void train(const TinyRun& run, const std::filesystem::path& out, bool resume,
                  std::int64_t stop, Record& record) {
  std::optional<Checkpoint> kept;
  if (resume) {
    kept.emplace(load_checkpoint(out / "last"));
  }
  Gpt fresh(run.config, run.options.seed);
  Gpt& model = resume ? kept->model : fresh;
  GptTask task(model, run.corpus, run.tokenizer);
  Trainer trainer(task, run.options, out);
  if (resume) {
    trainer.resume(out / "last", *kept->state);
  }
  TrainCallbacks callbacks;
  callbacks.on_step = [&](const StepReport& report) {
    CHECK(record.steps.emplace(report.step, std::pair(report.loss, report.gradient_norm)).second);
  };
  callbacks.on_eval = [&](const EvalReport& report) {  // each once, also if resumed
    CHECK(record.evals.emplace(report.step, std::pair(report.train_loss, report.val_loss)).second);
    if (report.best) record.best.push_back(report.step);
  };
  callbacks.should_stop = [&] { return trainer.state().step >= stop; };
  record.complete = trainer.run(callbacks);
  record.parameters = all_values(parameters(model));
  record.optimiser = bytes_of(out / "last" / "optimizer.safetensors");
}

inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

}  // namespace gradus

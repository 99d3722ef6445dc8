/// @file
/// Shows and logs the progress of a training run.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "cli/program/display.h"
#include "cli/run/log.h"
#include "cli/run/plan.h"
#include "nn/train/trainer.h"

namespace gradus {

/// The mean bytes of a token in each split of a corpus; 0 without a text.
struct BytesPerToken {
  double train = 0;
  double val = 0;
};

/// Converts a loss in nats per token to bits per byte; 0 if bytes per token are unknown.
double bits_per_byte(double loss, double bytes_per_token);

/// The callbacks of a run that show it to its user: a display, logs, a clock.
class Progress {
 public:
  /// The references must outlive this. `sample` returns a few lines of the model's text. It is
  /// called now and then, but only on a terminal. A terminal also shows the losses as a chart that
  /// begins with `history`.
  Progress(Display& display, std::vector<RunLog>& logs, const Plan& plan,
           const TrainOptions& recipe, const BytesPerToken& bytes, std::int64_t log_interval,
           std::function<std::string()> sample, LossHistory history);

  void on_step(const StepReport& report);
  void on_eval(const EvalReport& report);
  void on_eval_progress(std::int64_t done, std::int64_t of);

  void show_chart();  ///< prints the losses' chart to stay, on a terminal

  double seconds() const;  ///< since the start

 private:
  using Clock = std::chrono::steady_clock;

  double seconds_left() const;
  std::vector<std::string> parts(const StepReport& report) const;
  std::string share_of_peak(const StepReport& report) const;
  void maybe_sample();
  void keep(const StepReport& report);  // for the chart
  std::vector<std::string> chart() const;
  void show_live(const std::vector<std::string>& parts);

  Display& display_;
  std::vector<RunLog>& logs_;
  const Plan& plan_;
  const TrainOptions& recipe_;
  BytesPerToken bytes_;
  std::int64_t log_interval_;
  std::function<std::string()> sample_;
  LossHistory history_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_shown_ = start_ - std::chrono::hours(1);
  Clock::time_point last_sample_ = start_;
  Clock::time_point eval_start_;
  Clock::time_point scoring_start_;
  std::int64_t done_ = 0;
  std::int64_t eval_batches_ = 0;         // in the last evaluation
  double milliseconds_ = 0, tokens_ = 0;  // since the last line
  std::int64_t steps_ = 0;                // since the last line
  double step_seconds_;                   // a moving average
  double batches_seconds_;                // of the last evaluation, or of the plan
  double scoring_seconds_;                // of the last evaluation's scores
  double val_loss_ = 0;                   // the last one; 0 if there is none
};

}  // namespace gradus

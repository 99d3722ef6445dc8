#include "cli/run/progress.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "autograd/check.h"
#include "cli/run/loss_chart.h"

namespace gradus {
using namespace detail;
namespace {

/// The least times between two updates of a terminal, and between two samples on it.
constexpr std::chrono::milliseconds kBetweenLines{100};
constexpr std::chrono::seconds kBetweenSamples{12};

/// The number of lines in the chart above the live line.
constexpr std::size_t kChartLines = 8, kMostColumns = 80, kMostPoints = 10'000;

/// The weight of the newest step in the moving average.
constexpr double kNewest = 0.1;

/// ", 2.31 bits per byte", or nothing if it is unknown.
std::string in_bits(double bits) {
  return bits > 0 ? ", " + fixed(bits, 3) + " bits per byte" : "";
}

}  // namespace

double bits_per_byte(double loss, double bytes_per_token) {
  return bytes_per_token > 0 ? loss / std::log(2.0) / bytes_per_token : 0;
}

Progress::Progress(Display& display, std::vector<RunLog>& logs, const Plan& plan,
                   const TrainOptions& recipe, const BytesPerToken& bytes,
                   std::int64_t log_interval, std::function<std::string()> sample,
                   LossHistory history)
    : display_(display),
      logs_(logs),
      plan_(plan),
      recipe_(recipe),
      bytes_(bytes),
      log_interval_(log_interval),
      sample_(std::move(sample)),
      history_(std::move(history)),
      step_seconds_(plan.costs.step),
      batches_seconds_(evaluation_seconds(recipe, plan.costs) - plan.costs.scoring),
      scoring_seconds_(plan.costs.scoring) {}

double Progress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

double Progress::seconds_left() const {
  return static_cast<double>(recipe_.max_iters - done_) * step_seconds_ +
         evaluations_left(recipe_, done_) * (batches_seconds_ + scoring_seconds_);
}

/// The parts of a step's line, the most important first; narrow terminals drop the last ones.
std::vector<std::string> Progress::parts(const StepReport& report) const {
  std::vector<std::string> parts = {text("step ", report.step + 1, "/", recipe_.max_iters),
                                    "loss " + fixed(report.loss, 4)};
  parts.push_back(in_time(seconds_left()) + " left");
  if (val_loss_ > 0) {
    const double bits = bits_per_byte(val_loss_, bytes_.val);
    parts.push_back("val " + fixed(val_loss_, 4) +
                    (bits > 0 ? " (" + fixed(bits, 3) + " bits per byte)" : ""));
  }
  parts.push_back(with_unit(report.tokens_per_second) + " tokens/s");
  if (plan_.flops_per_step > 0) {
    parts.push_back(share_of_peak(report));
  }
  return parts;
}

std::string Progress::share_of_peak(const StepReport& report) const {
  const double gflops = plan_.flops_per_step / (1e6 * report.milliseconds);
  return fixed(100 * gflops / plan_.peak_gflops, 0) + "% of " + plan_.peak;
}

void Progress::on_step(const StepReport& report) {
  done_ = report.step + 1;
  step_seconds_ += kNewest * (report.milliseconds / 1000 - step_seconds_);
  if (display_.is_terminal()) keep(report);
  const auto now = Clock::now();
  if (display_.is_terminal() &&
      (now - last_shown_ >= kBetweenLines || done_ == recipe_.max_iters)) {
    show_live(parts(report));
    last_shown_ = now;
  }
  milliseconds_ += report.milliseconds;
  tokens_ += report.tokens_per_second * report.milliseconds / 1000;
  ++steps_;
  if (report.step % log_interval_ != 0) {
    return;
  }
  StepReport mean = report;  // mean of the time only; the loss is the step's own
  mean.milliseconds = milliseconds_ / static_cast<double>(steps_);
  mean.tokens_per_second = 1000 * tokens_ / milliseconds_;
  milliseconds_ = tokens_ = 0;
  steps_ = 0;
  const double bits = bits_per_byte(report.loss, bytes_.train);
  for (RunLog& log : logs_) {
    log.add(mean, bits);
  }
  if (!display_.is_terminal()) {
    display_.line(text("iter ", report.step, ": loss ", fixed(report.loss, 4), ", time ",
                       fixed(mean.milliseconds, 2), "ms", in_bits(bits), ", ",
                       with_unit(mean.tokens_per_second), " tokens/s, ",
                       plan_.flops_per_step > 0 ? share_of_peak(mean) + ", " : "",
                       in_time(seconds_left()), " left"));
  }
}

void Progress::on_eval_progress(std::int64_t done, std::int64_t of) {
  const auto now = Clock::now();
  eval_batches_ = of;
  if (done == 1) {
    eval_start_ = now;
  }
  const double scoring = done_ > 0 ? scoring_seconds_ : 0;  // none before the first step
  const bool is_scoring = done == of && scoring > 0;
  if (done == of) {
    scoring_start_ = now;
  }
  if (display_.is_terminal() && (is_scoring || now - last_shown_ >= kBetweenLines)) {
    // Estimates from the batches so far, or for the first batch from the plan.
    const std::chrono::duration<double> passed = now - eval_start_;
    const double each = done > 1 ? passed.count() / static_cast<double>(done - 1)
                                 : batches_seconds_ / static_cast<double>(of);
    show_live({text("step ", done_, "/", recipe_.max_iters),
               is_scoring ? "scoring" : text("evaluating ", done, "/", of),
               in_time(each * static_cast<double>(of - done) + scoring) + " left to evaluate"});
    last_shown_ = now;
  }
}

void Progress::on_eval(const EvalReport& report) {
  done_ = report.step;
  val_loss_ = report.val_loss;
  history_.val.emplace_back(report.step, report.val_loss);
  if (done_ > 0) {
    const std::chrono::duration<double> scoring = Clock::now() - scoring_start_;
    scoring_seconds_ = report.scores.empty() ? 0 : scoring.count();
  }
  if (eval_batches_ > 1 && done_ > 0) {  // the clock starts after the first batch
    const std::chrono::duration<double> rest = scoring_start_ - eval_start_;
    const auto batches = static_cast<double>(eval_batches_);
    batches_seconds_ = rest.count() * batches / (batches - 1);
  }
  const double bits = bits_per_byte(report.val_loss, bytes_.val);
  for (RunLog& log : logs_) {
    log.add(report, bits);
  }
  std::string scores;
  for (const Score& score : report.scores) {
    scores += ", " + score.name + " " + fixed(100 * score.value, 1) + "%";
  }
  display_.line(
      text("step ", report.step, ": train loss ", fixed(report.train_loss, 4), ", val loss ",
           fixed(report.val_loss, 4), in_bits(bits), scores, report.best ? " (best)" : ""),
      true);
  maybe_sample();
}

void Progress::keep(const StepReport& report) {
  auto& batches = history_.batches;
  batches.emplace_back(report.step, report.loss);
  if (batches.size() > kMostPoints) {  // more than the chart can show: drop every second one
    std::size_t i = 0;
    std::erase_if(batches, [&](const auto&) { return i++ % 2 == 1; });
  }
}

std::vector<std::string> Progress::chart() const {
  return loss_chart(history_, std::min(display_.width(), kMostColumns), kChartLines);
}

void Progress::show_live(const std::vector<std::string>& parts) { display_.live(parts, chart()); }

void Progress::show_chart() {
  if (!display_.is_terminal()) return;
  for (const std::string& line : chart()) display_.aside(line);
}

void Progress::maybe_sample() {
  const bool at_end = done_ >= recipe_.max_iters || done_ == 0;
  if (!display_.is_terminal() || at_end || Clock::now() - last_sample_ < kBetweenSamples) {
    return;
  }
  display_.aside(sample_());
  last_sample_ = Clock::now();
}

}  // namespace gradus

/// @file
/// The log of a run: a file with one JSON object per line.
///
///     {"step":20,"loss":2.31,"lr":0.001,"ms":18.2,"tokens_per_second":42100,"bits_per_byte":1.2}
///     {"step":250,"train_loss":1.9,"val_loss":2.0,"bits_per_byte":1.1}
///
/// Lines have bits per byte, of the batch or of val_loss, only if the run trains on a text.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nn/train/trainer.h"

namespace gradus {

/// Writes a log, and flushes each line, so that other programs can follow it.
class RunLog {
 public:
  /// Begins a new log. With a state, continues the old one: drops the entries beyond the state,
  /// which a killed run has left, so that each step occurs once.
  /// @throws std::runtime_error naming the file that cannot be written.
  RunLog(std::string file, const TrainState* resumed);

  /// Writes no bits per byte if they are 0.
  void add(const StepReport& report, double bits_per_byte);
  void add(const EvalReport& report, double bits_per_byte);  ///< the same
  /// If the log is on a disk, waits until all entries are written to it.
  void sync();

 private:
  void write(const std::string& line);

  std::string file_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream_;
};

/// The losses in a log, as (step, loss). Skips other entries.
struct LossHistory {
  std::vector<std::pair<double, double>> batches;
  std::vector<std::pair<double, double>> train;
  std::vector<std::pair<double, double>> val;
};
LossHistory read_losses(const std::filesystem::path& log);

}  // namespace gradus

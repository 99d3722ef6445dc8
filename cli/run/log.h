/// @file
/// The log of a run: a file with one JSON object a line.
///
///     {"step":20,"loss":2.31,"lr":0.001,"ms":18.2,"tokens_per_second":42100,"bits_per_byte":1.2}
///     {"step":250,"train_loss":1.9,"val_loss":2.0,"bits_per_byte":1.1}
///
/// Bits per byte, of the batch or of val_loss, are there where a text is trained on.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nn/train/trainer.h"

namespace gradus {

/// Writes a log, each line at once, so that others can follow it.
class RunLog {
 public:
  /// Begins a log anew, or with a state goes on with it: entries beyond the state are dropped,
  /// which a run that was killed has left, so that each step occurs once.
  /// @throws std::runtime_error naming the file that cannot be written.
  RunLog(std::string file, const TrainState* resumed);

  /// 0 bits per byte are not written.
  void add(const StepReport& report, double bits_per_byte);
  void add(const EvalReport& report, double bits_per_byte);  ///< the same
  /// Waits until what was added is on the disk, where it is one.
  void sync();

 private:
  void write(const std::string& line);

  std::string file_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream_;
};

/// The losses that a log holds, as (step, loss). Other entries are skipped.
struct LossHistory {
  std::vector<std::pair<double, double>> batches;
  std::vector<std::pair<double, double>> train;
  std::vector<std::pair<double, double>> val;
};
LossHistory read_losses(const std::filesystem::path& log);

}  // namespace gradus

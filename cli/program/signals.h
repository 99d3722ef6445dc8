/// @file
/// Handles Ctrl-C, SIGTERM, SIGHUP and SIGUSR1: the first signal asks the program to stop, the
/// second ends it at once.
#pragma once

namespace gradus {

/// While a StopSignals exists, the first signal is recorded, and a second one ends the program at
/// once with exit code 128 + signal. Checkpoints are whole at any moment, because a rename puts
/// them in place. SIGUSR1 counts as Ctrl-C: mpirun passes it on to all ranks without ending them
/// soon after. SIGPIPE is ignored, so that writing to a closed pipe fails with an error.
///
/// The destructor restores the default actions. With `ignored_afterwards` it ignores the signals
/// instead, for ranks: a rank that is done waits for rank 0, which may still be saving, and if a
/// signal ended the waiting rank, rank 0 would end too.
class StopSignals {
 public:
  /// @param message is written to standard error when the first signal comes.
  explicit StopSignals(const char* message, bool ignored_afterwards = false);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// The signal that came, or 0.
  static int received();

 private:
  bool ignored_afterwards_;
};

}  // namespace gradus

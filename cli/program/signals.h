/// @file
/// Ctrl-C, SIGTERM, SIGHUP and SIGUSR1 as a polite request first and as an order the second time.
#pragma once

namespace gradus {

/// While one of these exists, the first signal is noted, and a second one ends the program at once
/// with exit code 128 + signal (checkpoints are put in place by a rename, so that they are whole at
/// any moment). SIGUSR1 is what mpirun passes on to all ranks without ending them soon after, and
/// counts as Ctrl-C. SIGPIPE is ignored: a closed pipe shows as a failed write.
///
/// Afterwards signals do as ever; or, of ranks, nothing: one that is done waits for the first,
/// which may still be saving, and its death would end that too.
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

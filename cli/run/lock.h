/// @file
/// One training at a time in an out_dir.
#pragma once

#include <filesystem>

namespace gradus {

/// Holds an out_dir for one training, by a lock on the file `.lock` in it. The kernel lets go of it
/// however the process ends; the file itself means nothing. Where the file system knows no locks, a
/// note says so and the training goes on without.
class RunLock {
 public:
  /// Makes the folder if need be, and takes the lock.
  /// @throws std::runtime_error naming the folder and the process that holds it, or saying why the
  /// file cannot be written.
  explicit RunLock(const std::filesystem::path& out_dir);
  /// Removes the file, and a folder that it made and nobody used, and lets go.
  ~RunLock();
  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&&) = delete;

  /// Makes sure that no training holds this folder at the moment; leaves no trace.
  /// @throws std::runtime_error as the constructor.
  static void check_free(const std::filesystem::path& out_dir);

  /// The lock has moved with its folder.
  void moved_to(const std::filesystem::path& out_dir);

 private:
  std::filesystem::path file_;
  int descriptor_;
  bool made_folder_ = false;
};

}  // namespace gradus

/// @file
/// Allows one training at a time in an out_dir.
#pragma once

#include <filesystem>

namespace gradus {

/// Holds an out_dir for one training, with a lock on the file `.lock` in it. The kernel releases
/// the lock however the process ends; the file alone has no meaning. If the file system has no
/// locks, prints a note, and the training continues without a lock.
class RunLock {
 public:
  /// Makes the folder if necessary, and takes the lock.
  /// @throws std::runtime_error naming the folder and the process that holds it, or the reason why
  /// the file cannot be written.
  explicit RunLock(const std::filesystem::path& out_dir);
  /// Removes the file, and the folder if the constructor made it and it is empty; releases the
  /// lock.
  ~RunLock();
  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&&) = delete;

  /// Checks that no training holds this folder now; leaves no file behind.
  /// @throws std::runtime_error as the constructor does.
  static void check_free(const std::filesystem::path& out_dir);

  /// Changes the path of the file after its folder has moved.
  void moved_to(const std::filesystem::path& out_dir);

 private:
  std::filesystem::path file_;
  int descriptor_;
  bool made_folder_ = false;
};

}  // namespace gradus

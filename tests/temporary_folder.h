/// @file
/// A folder for the files of one test.
#pragma once

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

namespace gradus {

/// A new folder, which is removed after the test.
struct TemporaryFolder {
  TemporaryFolder() {
    // In memory, on Linux: some tests write and sync thousands of files.
    const std::filesystem::path memory = "/dev/shm";
    const auto parent =
        std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    path = parent / ("gradus_test_" + std::to_string(std::random_device()()));
    std::filesystem::create_directory(path);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// Returns the path of a file in the folder.
  std::string operator/(const std::string& name) const { return (path / name).string(); }
  /// Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
    return *this / name;
  }

  std::filesystem::path path;
};

}  // namespace gradus

#include "nn/files/read_model_file.h"

#include <filesystem>
#include <system_error>

#include "nn/files/safetensors_header.h"
#include "nn/text/file.h"

namespace gradus {

namespace fs = std::filesystem;

void require_file(const std::string& path, const char* wanted) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    if (error && error != std::errc::no_such_file_or_directory) {
      fail_to_read(path, error.value());
    }
    fail_for_file(path, "does not exist (check the path)");
  }
  if (!fs::is_regular_file(status)) {
    fail_for_file(path, fs::is_directory(status) ? "is a directory" : "is not a file", " (use ",
                  wanted, ")");
  }
}

void refuse_lfs_pointer(const std::string& path, std::string_view begin) {
  if (begin.starts_with("version https://git-lfs.github.com/spec/")) {
    fail_for_file(
        path,
        "is a Git LFS pointer instead of the file (run 'git lfs pull' in the cloned folder, "
        "or download the file)");
  }
}

std::string read_model_file(const std::string& name, std::size_t limit, const char* wanted) {
  require_file(name, wanted);
  std::string bytes = read_text_file(name, limit);
  refuse_lfs_pointer(name, bytes);
  return bytes;
}

std::vector<fs::directory_entry> entries_of(const fs::path& folder) {
  std::vector<fs::directory_entry> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    entries.push_back(*at);
  }
  if (error) fail_to_read(folder.string(), error.value());
  return entries;
}

}  // namespace gradus

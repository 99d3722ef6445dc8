#include "nn/files/replace_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "nn/files/read_model_file.h"
#include "nn/text/file.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

/// The path without a trailing slash.
fs::path trimmed(const fs::path& folder) {
  return folder.has_filename() ? folder : folder.parent_path();
}

/// `.NAME.ending` next to the folder.
fs::path beside(const fs::path& folder, const char* ending) {
  return folder.parent_path() / ("." + folder.filename().string() + ending);
}

void move_folder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) {
    fail_to_write(to.string(), error.value());
  }
}

void remove_folder(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) {
    fail_to_write(path.string(), error.value());
  }
}

/// Swaps two folders in one step. Returns false if the system does not support this here.
bool exchanged(const fs::path& a, const fs::path& b) {
#if defined(RENAME_EXCHANGE)
  return renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#elif defined(RENAME_SWAP)
  return renamex_np(a.c_str(), b.c_str(), RENAME_SWAP) == 0;
#else
  static_cast<void>(a);
  static_cast<void>(b);
  return false;
#endif
}

/// The folder that contains `path`.
fs::path parent_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Removes the remains of an interrupted call. First restores a folder that the call had moved
/// aside.
void clean_up(const fs::path& folder, const fs::path& temporary, const fs::path& aside) {
  if (!fs::exists(folder) && fs::exists(aside)) {
    move_folder(aside, folder);
  }
  if (fs::exists(temporary) || fs::exists(aside)) {
    // The interrupted call may not have synced its swap. Without power the swap could be undone,
    // and these remains would be the only checkpoint.
    sync_to_disk(parent_of(folder));
  }
  remove_folder(aside);
  remove_folder(temporary);
}

void put_in_place(const fs::path& temporary, const fs::path& folder, const fs::path& aside,
                  Exchange exchange) {
  if (!fs::exists(folder)) {
    move_folder(temporary, folder);
    return;
  }
  if (exchange == Exchange::kIfPossible && exchanged(temporary, folder)) {
    return;
  }
  move_folder(folder, aside);
  try {
    move_folder(temporary, folder);
  } catch (...) {
    move_folder(aside, folder);
    throw;
  }
}

}  // namespace

void sync_to_disk(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    fail_to_write(path.string(), errno);
  }
  const bool synced = fsync(file) == 0;
  const int error = errno;
  close(file);
  // File systems that cannot sync folders return EINVAL or ENOTSUP.
  if (!synced && error != EINVAL && error != ENOTSUP) {
    fail_to_write(path.string(), error);
  }
}

void sync_entry_of(const fs::path& path) {
  const fs::path parent = parent_of(path);
  if (access(parent.c_str(), R_OK) == 0) {
    sync_to_disk(parent);
  }
}

void replace_folder(const fs::path& named, const std::function<void(const fs::path&)>& fill,
                    Exchange exchange) {
  const fs::path folder = trimmed(named);
  const fs::path temporary = beside(folder, ".tmp");
  const fs::path aside = beside(folder, ".old");
  const fs::path parent = parent_of(folder);
  make_folder(parent);
  clean_up(folder, temporary, aside);
  if (fs::exists(folder) && !fs::is_directory(folder)) {
    throw std::runtime_error(folder.string() + ": is not a folder (move it away)");
  }
  std::error_code error;
  try {
    fs::create_directory(temporary, error);
    if (error) {
      fail_to_write(temporary.string(), error.value());
    }
    fill(temporary);
    for (const fs::directory_entry& file : entries_of(temporary)) {
      sync_to_disk(file.path());
    }
    sync_to_disk(temporary);
    put_in_place(temporary, folder, aside, exchange);
  } catch (...) {
    std::error_code ignored;  // the first error is reported
    fs::remove_all(temporary, ignored);
    throw;
  }
  sync_to_disk(parent);
  // The new folder is in place. If the old one cannot be removed, the next call will report why.
  std::error_code ignored;
  fs::remove_all(temporary, ignored);
  fs::remove_all(aside, ignored);
}

fs::path find_folder(const fs::path& named) {
  const fs::path folder = trimmed(named);
  std::error_code unreadable;  // treated as missing: opening the folder will report the reason
  if (!fs::exists(folder, unreadable) && fs::exists(beside(folder, ".old"), unreadable)) {
    return beside(folder, ".old");
  }
  return folder;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  for (fs::path part = folder; !part.empty(); part = part.parent_path()) {
    if (fs::is_symlink(part, error) && !fs::exists(part, error)) {
      throw std::runtime_error(part.string() + ": is a link to " +
                               fs::read_symlink(part, error).string() +
                               ", which does not exist (create that folder, or remove the link)");
    }
    if (part == part.parent_path()) break;
  }
  std::vector<fs::path> parts;  // from the folder up to the first that exists
  for (fs::path part = trimmed(folder); !part.empty(); part = part.parent_path()) {
    parts.push_back(part);
    if (fs::exists(part, error)) {
      if (!fs::is_directory(part, error)) {
        fail_to_write(folder.string(), ENOTDIR);
      }
      break;
    }
  }
  // Each is synced before the next: otherwise a checkpoint could be lost with the folder around it.
  // The existing one is synced too, because a killed process may have made it.
  while (!parts.empty()) {
    fs::create_directory(parts.back(), error);
    if (error) {
      fail_to_write(folder.string(), error.value());
    }
    sync_entry_of(parts.back());
    parts.pop_back();
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    fail_to_write(folder.string(), errno);
  }
}

}  // namespace gradus

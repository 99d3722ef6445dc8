#include "cli/run/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "autograd/check.h"
#include "cli/program/command.h"
#include "nn/files/replace_folder.h"
#include "nn/text/file.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockFile = ".lock";

/// Describes the holder in the file, for programs that find the lock taken.
std::string own_name() {
  std::array<char, 65> host{};
  gethostname(host.data(), host.size() - 1);
  return text("process ", getpid(), " on ", host.data());
}

/// The description of the holder in the file; may be empty.
std::string holder_of(int descriptor) {
  std::array<char, 120> name{};
  const ssize_t size = pread(descriptor, name.data(), name.size(), 0);
  return size > 0 ? std::string(name.data(), static_cast<std::size_t>(size)) : "another process";
}

[[noreturn]] void refuse(const fs::path& file, int descriptor) {
  const std::string holder = holder_of(descriptor);
  close(descriptor);
  throw std::runtime_error(text(file.parent_path().string(), ": ", holder,
                                " is training in this folder (wait until it ends, stop it, or "
                                "choose another folder)"));
}

/// Takes the lock if it is free; returns whether this process has it. If the system gives no
/// answer, the lock counts as taken by this process, with a note.
bool taken(const fs::path& file, int descriptor) {
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) {
      return false;
    }
    if (errno != EINTR) {
      note(text(file.parent_path().string(),
                ": cannot be locked: ", std::generic_category().message(errno),
                " (make sure that no other training uses this folder)"));
      break;
    }
  }
  return true;
}

/// Whether the path still names the open file: the folder may have been moved, or the former holder
/// may have removed the file.
bool is_in_place(const fs::path& file, int descriptor) {
  struct stat opened {
  }, there{};
  return fstat(descriptor, &opened) == 0 && lstat(file.c_str(), &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

}  // namespace

RunLock::RunLock(const fs::path& out_dir) : file_(out_dir / kLockFile), descriptor_(-1) {
  for (;;) {
    made_folder_ = !fs::exists(out_dir);
    make_folder(out_dir);
    descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor_ < 0) {
      if (errno == ENOENT) {
        continue;  // the folder has been moved away meanwhile
      }
      fail_to_write(file_.string(), errno);
    }
    if (!taken(file_, descriptor_)) {
      refuse(file_, descriptor_);
    }
    if (is_in_place(file_, descriptor_)) {
      break;
    }
    close(descriptor_);
  }
  const std::string name = own_name();
  if (ftruncate(descriptor_, 0) == 0) {  // the training itself reports a full disk
    [[maybe_unused]] const auto ignored = pwrite(descriptor_, name.data(), name.size(), 0);
  }
}

RunLock::RunLock(RunLock&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      made_folder_(other.made_folder_) {}

RunLock::~RunLock() {
  if (descriptor_ >= 0) {
    if (is_in_place(file_, descriptor_)) {
      unlink(file_.c_str());
      if (made_folder_) {
        rmdir(file_.parent_path().c_str());  // fails if the folder is not empty
      }
    }
    close(descriptor_);
  }
}

void RunLock::check_free(const fs::path& out_dir) {
  const fs::path file = out_dir / kLockFile;
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) {
    return;  // no training holds it, or the constructor reports the error
  }
  if (flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    refuse(file, descriptor);
  }
  close(descriptor);
}

void RunLock::moved_to(const fs::path& out_dir) { file_ = out_dir / kLockFile; }

}  // namespace gradus

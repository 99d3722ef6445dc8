#include "cli/program/gnuplot.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <system_error>

extern char** environ;

namespace gradus {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// A file without a name. Unlike a pipe, it needs no reader while it is written.
File temporary_file(const std::string& content) {
  File file(std::tmpfile(), &std::fclose);
  if (!file || std::fwrite(content.data(), 1, content.size(), file.get()) != content.size() ||
      std::fflush(file.get()) != 0) {
    throw std::runtime_error("cannot create a file for gnuplot: " +
                             std::generic_category().message(errno));
  }
  std::rewind(file.get());
  return file;
}

std::string content_of(const File& file) {
  std::rewind(file.get());
  std::string content;
  std::array<char, 1 << 14> piece;
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), file.get())) {
    content.append(piece.data(), count);
  }
  return content;
}

}  // namespace

std::string run_gnuplot(const std::string& script) {
  const File in = temporary_file(script), out = temporary_file(""), trouble = temporary_file("");
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(trouble.get()), STDERR_FILENO);
  // A process group of its own keeps a second Ctrl-C away from gnuplot: it is for this program. The
  // default action for SIGPIPE lets gnuplot handle a closed pipe.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  char name[] = "gnuplot";
  char* arguments[] = {name, nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, name, &files, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw std::runtime_error(error == ENOENT ? "gnuplot is not installed"
                                             : "gnuplot cannot be started: " +
                                                   std::generic_category().message(error));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::string picture = content_of(out);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || picture.empty()) {
    throw std::runtime_error("gnuplot failed: " + content_of(trouble));
  }
  return picture;
}

}  // namespace gradus

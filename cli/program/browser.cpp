#include "cli/program/browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "cli/program/command.h"

extern char** environ;

namespace gradus {

void open_in_browser(const std::string& file) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0);
  }
  bool found = false;
  for (const char* opener : {"xdg-open", "open"}) {
    std::string program = opener, argument = file;
    char* arguments[] = {program.data(), argument.data(), nullptr};
    pid_t id = 0;
    found = found || posix_spawnp(&id, opener, &files, nullptr, arguments, environ) == 0;
  }
  posix_spawn_file_actions_destroy(&files);
  if (!found) note("there is neither xdg-open nor open: open " + file + " in a browser");
}

}  // namespace gradus

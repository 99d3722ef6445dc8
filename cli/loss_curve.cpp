/// @file
/// The loss curve as an SVG file, drawn by gnuplot: no shell, no quoting, input and output as
/// files.

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <system_error>

#include "cli/run_log.h"

extern char** environ;

namespace gradus {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCurveStyle =
    R"(set terminal svg size 720,420 font 'sans-serif,13' background 'white'
set border 3 lc rgb '#606060'
set tics nomirror
set grid lc rgb '#e4e4e4' lt 1
set xlabel 'step'
set ylabel 'loss (nats per token)'
set key top right
)";

void add_data(std::ostringstream& script, const char* name,
              const std::vector<std::pair<double, double>>& points) {
  script << '$' << name << " << END\n";
  for (const auto& [step, loss] : points) {
    script << step << ' ' << loss << '\n';
  }
  script << "END\n";
}

std::string script_for(const LossHistory& history) {
  std::ostringstream script;
  script << kCurveStyle;
  std::string plot;
  const auto curve = [&](const char* name, const std::vector<std::pair<double, double>>& points,
                         const char* style) {
    if (!points.empty()) {
      add_data(script, name, points);
      plot += std::string(plot.empty() ? "plot $" : ", $") + name + " " + style;
    }
  };
  curve("batches", history.batches, "with lines lw 1 lc rgb '#b8c8dc' title 'batch'");
  curve("train", history.train,
        "with linespoints pt 7 ps 0.4 lw 2 lc rgb '#2f6fb0' title 'training'");
  curve("val", history.val,
        "with linespoints pt 7 ps 0.4 lw 2 lc rgb '#d9742b' title 'validation'");
  script << plot << '\n';
  return script.str();
}

/// Runs gnuplot with the file `in` as its standard input and `out` as its standard output. Returns
/// its exit code, 127 if there is none.
int run_gnuplot(int in, int out) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // A second Ctrl-C is for us; and gnuplot knows what to do about a closed pipe.
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
    return 127;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

std::string draw_losses(const LossHistory& history, const fs::path& svg) {
  if (history.batches.empty() && history.val.empty()) {
    return "there is no loss yet to draw";
  }
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> script(std::tmpfile(), &std::fclose);
  const fs::path temporary = svg.string() + ".tmp";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> picture(std::fopen(temporary.c_str(), "wb"),
                                                          &std::fclose);
  if (!script || !picture || std::fputs(script_for(history).c_str(), script.get()) < 0 ||
      std::fflush(script.get()) != 0) {
    return svg.string() + ": cannot be written: " + std::generic_category().message(errno);
  }
  std::rewind(script.get());
  const int result = run_gnuplot(fileno(script.get()), fileno(picture.get()));
  std::error_code error;
  if (result == 0 && fs::file_size(temporary, error) > 0 && !error) {
    fs::rename(temporary, svg, error);
    return error ? svg.string() + ": cannot be written: " + error.message() : "";
  }
  fs::remove(temporary, error);
  return result == 127 ? "no loss curve: gnuplot is not installed"
                       : "no loss curve: gnuplot failed";
}

}  // namespace gradus

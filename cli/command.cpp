#include "cli/command.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>

namespace gradus {
namespace {

std::string& stored_name() {
  static std::string name = "gradus";
  return name;
}

}  // namespace

const std::string& program_name() { return stored_name(); }
void set_program_name(std::string name) { stored_name() = std::move(name); }

std::string shell_flag(const std::string& name, const std::string& value) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-./,:+@%").find(c) != std::string_view::npos;
  };
  if (std::ranges::all_of(value, plain)) {
    return name + "=" + value;
  }
  std::string quoted;
  for (const char c : value) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return name + "='" + quoted + "'";
}

void note(const std::string& message) {
  // In one piece, so that lines of several programs do not mix.
  const std::string line = "gradus: " + message + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void print(std::string_view result) {
  errno = 0;
  if (std::fwrite(result.data(), 1, result.size(), stdout) != result.size() ||
      std::fflush(stdout) != 0) {
    throw std::runtime_error(
        "standard output: cannot be written: " + std::generic_category().message(errno) +
        (errno == ENOSPC ? " (make room on the disk)" : ""));
  }
}

}  // namespace gradus

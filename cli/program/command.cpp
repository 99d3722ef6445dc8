#include "cli/program/command.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>

#include "nn/text/file.h"
#include "nn/text/utf8.h"

namespace gradus {
namespace {

std::string& stored_name() {
  static std::string name = "gradus";
  return name;
}

}  // namespace

const std::string& program_name() { return stored_name(); }
void set_program_name(std::string name) { stored_name() = std::move(name); }

namespace {

/// `$'...'`, which bash and other shells read: for values that are not printable.
std::string ansi_quoted(const std::string& value) {
  std::string out = "$'";
  for (const char c : value) {
    if (c == '\'' || c == '\\') {
      out += '\\';
    }
    std::array<char, 8> octal{};
    std::snprintf(octal.data(), octal.size(), "\\%03o", static_cast<unsigned char>(c));
    out += c >= ' ' && c < 0x7f ? std::string(1, c) : octal.data();
  }
  return out + "'";
}

}  // namespace

std::string shell_flag(const std::string& name, const std::string& value) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-./,:+@%").find(c) != std::string_view::npos;
  };
  if (std::ranges::all_of(value, plain)) {
    return name + "=" + value;
  }
  if (printable(value) != value) {
    return name + "=" + ansi_quoted(value);
  }
  std::string quoted;
  for (const char c : value) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return name + "='" + quoted + "'";
}

void note(const std::string& message) {
  // Writes the line in one piece, so that lines of several programs do not mix.
  const std::string line = "gradus: " + printable(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void print(std::string_view result) {
  static const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  const std::string shown = is_terminal ? printable(result) : std::string();
  if (is_terminal) {
    result = shown;
  }
  errno = 0;
  if (std::fwrite(result.data(), 1, result.size(), stdout) != result.size() ||
      std::fflush(stdout) != 0) {
    const int error = errno;
    const std::string name = "standard output";
    if (error != EBADF) fail_to_write(name, error);
    throw std::runtime_error(name +
                             ": cannot be written: " + std::generic_category().message(error) +
                             " (it is closed: redirect it to a file or a program)");
  }
}

}  // namespace gradus

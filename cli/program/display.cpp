#include "cli/program/display.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "autograd/check.h"
#include "cli/program/help_text.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

/// The size that the terminal reports; otherwise 24 rows of 80 columns.
winsize terminal_size() {
  winsize size{};
  ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
  if (size.ws_col == 0) size.ws_col = 80;
  if (size.ws_row == 0) size.ws_row = 24;
  return size;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

Display::Display() {
  const char* term = std::getenv("TERM");
  is_terminal_ =
      isatty(STDERR_FILENO) == 1 && (term == nullptr || std::string_view(term) != "dumb");
  has_colours_ = is_terminal_ && !is_set("NO_COLOR");
}

Display::~Display() {
  if (has_live_line_) {
    write("\n");
  }
}

void Display::write(std::string_view text) {
  std::fflush(stderr);
  while (!text.empty() && !is_closed_) {
    const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      // A run goes on if its progress cannot be shown, unless the reader has closed the pipe.
      is_closed_ = errno == EPIPE;
      return;
    }
  }
}

std::string Display::styled(const char* code, std::string_view text) const {
  return has_colours_ ? std::string("\33[") + code + "m" + std::string(text) + "\33[0m"
                      : std::string(text);
}

void Display::line(std::string_view text, bool bold) {
  clear();
  write((bold ? styled("1", printable(text)) : printable(text)) + "\n");
}

void Display::entry(std::string_view name, std::string_view words) {
  constexpr std::size_t kIndent = 14;
  std::string label = text("  ", name);
  label.resize(std::max(kIndent, label.size() + 1), ' ');
  const std::string shown = printable(words);
  line(label + (is_terminal_ ? wrapped(shown, width(), kIndent) : shown));
}

void Display::aside(std::string_view text) {
  clear();
  write(styled("2", printable(text)) + "\n");
}

std::size_t Display::width() const {
  return terminal_size().ws_col - std::size_t{1};  // some terminals wrap at the last column
}

void Display::live(const std::vector<std::string>& parts, const std::vector<std::string>& block) {
  if (!is_terminal_) {
    return;
  }
  std::string line;
  for (const std::string& part : parts) {
    const std::string gap = line.empty() ? "" : "  ";
    if (line.size() + gap.size() + part.size() > width()) {
      break;
    }
    line += gap + part;
  }
  const std::size_t height = block.size() + 4 < terminal_size().ws_row ? block.size() : 0;
  if (has_live_line_ && height != block_height_) {
    clear();
  }
  std::string shown = has_live_line_ ? to_top() : "";
  for (std::size_t i = 0; i < height; ++i) {
    shown += styled("2", block[i]) + "\33[K\n";
  }
  write(shown + "\r" + on_one_line(line) + "\33[K");
  has_live_line_ = true;
  block_height_ = height;
}

std::string Display::to_top() const {
  return block_height_ > 0 ? text("\r\33[", block_height_, "A") : "\r";
}

void Display::clear() {
  if (has_live_line_) {
    write(to_top() + "\33[J");
    has_live_line_ = false;
    block_height_ = 0;
  }
}

namespace {

/// A number with three digits, or with all digits before the point if these are more.
std::string three_figures(double number) {
  return fixed(number, number < 9.995 ? 2 : number < 99.95 ? 1 : 0);
}

}  // namespace

std::string with_unit(double number) {
  constexpr const char* kUnits[] = {"", " k", " M", " G", " T", " P", " E"};
  std::size_t unit = 0;
  for (; number >= 999.5 && unit + 1 < std::size(kUnits); ++unit) {
    number /= 1000;
  }
  return (unit == 0 ? fixed(number, 0) : three_figures(number)) + kUnits[unit];
}

std::string in_bytes(double bytes) {
  constexpr const char* kUnits[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1023.5 && unit + 1 < std::size(kUnits); ++unit) {
    bytes /= 1024;
  }
  return (unit == 0 ? fixed(bytes, 0) : three_figures(bytes)) + kUnits[unit];
}

std::string counted(long number, const std::string& thing) {
  return std::to_string(number) + " " + thing + (number == 1 ? "" : "s");
}

std::string in_time(double seconds) {
  const double whole = std::round(seconds);
  if (!(whole < 1e9)) {
    return "more than 30 years";
  }
  const auto s = static_cast<long>(whole);
  const auto two = [](long n) { return std::to_string(n / 10) + std::to_string(n % 10); };
  if (s < 60) {
    return std::to_string(s) + " s";
  }
  if (s < 3600) {
    return std::to_string(s / 60) + " min " + two(s % 60) + " s";
  }
  if (s < 48 * 3600) {
    return std::to_string(s / 3600) + " h " + two(s / 60 % 60) + " min";
  }
  return std::to_string(s / 86400) + " days";
}

}  // namespace gradus

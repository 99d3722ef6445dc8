/// @file
/// Shows progress on standard error: on a terminal one live line below the lines that stay,
/// elsewhere plain lines.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// Writes to standard error. Live lines appear on terminals only and never wrap. NO_COLOR turns
/// colours off. Text to be shown goes through printable() first.
class Display {
 public:
  Display();
  /// Leaves the cursor below the live line.
  ~Display();
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  bool is_terminal() const { return is_terminal_; }
  /// Whether the reader has closed the pipe.
  bool is_closed() const { return is_closed_; }

  /// Prints a line that stays, above the live line; on a terminal in bold if `bold`.
  void line(std::string_view text, bool bold = false);
  /// Prints an entry of a list, such as a plan: a name, then its description. On a terminal the
  /// description is wrapped to the terminal's width.
  void entry(std::string_view name, std::string_view words);
  /// Prints a block that stays, dimmed, such as a sample during training.
  void aside(std::string_view text);
  /// Replaces the live line. It shows the first `parts`, as many as fit in one line. The lines of
  /// `block` stand above it if the terminal is high enough. Does nothing without a terminal.
  void live(const std::vector<std::string>& parts, const std::vector<std::string>& block = {});
  /// Removes the live line and the block above it.
  void clear();
  /// The columns that a line may have, so that no terminal wraps it.
  std::size_t width() const;

 private:
  void write(std::string_view text);
  std::string to_top() const;  // moves the cursor to the first line of the block
  std::string styled(const char* code, std::string_view text) const;

  bool is_terminal_;
  bool has_colours_;
  bool has_live_line_ = false;
  std::size_t block_height_ = 0;  // lines of the block above the live line
  bool is_closed_ = false;
};

/// 816000 as "816 k", 10700000 as "10.7 M": three figures and a unit of thousands.
std::string with_unit(double number);
/// Bytes as "12.3 MiB".
std::string in_bytes(double bytes);
/// Seconds as "42 s", "3 min 20 s", "2 h 05 min".
std::string in_time(double seconds);
/// "1 layer", "2 layers".
std::string counted(long number, const std::string& thing);
/// A number with `digits` digits after the point.
inline std::string fixed(double number, int digits) {
  std::array<char, 64> out{};
  std::snprintf(out.data(), out.size(), "%.*f", digits, number);
  return out.data();
}

}  // namespace gradus

/// @file
/// Progress on standard error: on a terminal one live line below what stays, elsewhere plain lines.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// Writes to standard error. Live lines are for terminals only and never wrap; colours keep to
/// NO_COLOR. What is given to be shown is made printable() first.
class Display {
 public:
  Display();
  /// Leaves the cursor below the live line.
  ~Display();
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  bool is_terminal() const { return is_terminal_; }
  /// Whether nobody reads any more: the pipe was closed.
  bool is_closed() const { return is_closed_; }

  /// A line that stays, above the live line. On a terminal it may be in bold.
  void line(std::string_view text, bool bold = false);
  /// A line of a list, such as a plan: the name, then what there is to say of it. A terminal gets
  /// it in lines of its width, broken between words.
  void entry(std::string_view name, std::string_view words);
  /// A block that stays and stands back, such as a sample on the way.
  void aside(std::string_view text);
  /// Replaces the live line by these parts, as many of the first as fit, below `block`, lines that
  /// are shown where the terminal is high enough; nothing if this is no terminal.
  void live(const std::vector<std::string>& parts, const std::vector<std::string>& block = {});
  /// Removes the live line and what is above it.
  void clear();
  /// The columns that a line may have, so that no terminal wraps it.
  std::size_t width() const;

 private:
  void write(std::string_view text);
  std::string to_top() const;  // of the live block, whose last line has the cursor
  std::string styled(const char* code, std::string_view text) const;

  bool is_terminal_;
  bool has_colours_;
  bool has_live_line_ = false;
  std::size_t block_height_ = 0;  // lines above it that go with it
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
/// With so many digits after the point.
inline std::string fixed(double number, int digits) {
  std::array<char, 64> out{};
  std::snprintf(out.data(), out.size(), "%.*f", digits, number);
  return out.data();
}

}  // namespace gradus

/// @file
/// Regular expressions over UTF-8, with PCRE2. Only pattern.cpp includes pcre2.h.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// Unicode white space, for use inside a character class: `[` + kBlank + `]`. PCRE2's own class
/// also includes U+180E, which is not white space since Unicode 6.3.
inline constexpr const char* kBlank = R"(\p{Z}\x{9}-\x{d}\x{85})";

/// A compiled regular expression with Unicode classes and literals. It is immutable, so that
/// threads may share it, and compiled to machine code if PCRE2 supports this.
/// @code
/// std::vector<std::string> words;
/// Pattern(R"(\p{L}+)").each("h\xc3\xa9, you", [&](std::string_view word) {
///   words.emplace_back(word);
/// });
/// words;  // ["hé", "you"]
/// @endcode
class Pattern {
 public:
  /// Compiles an expression.
  /// @throws std::invalid_argument with PCRE2's reason if it is not a regular expression
  explicit Pattern(const std::string& expression);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  /// Calls `visit` for all non-overlapping matches from left to right. The text must be valid
  /// UTF-8, and no match may be empty.
  /// @throws std::runtime_error if PCRE2 gives up
  void each(std::string_view text, const std::function<void(std::string_view)>& visit) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

/// @}

}  // namespace gradus

/// @file
/// Regular expressions over UTF-8, by PCRE2; the only user of pcre2.h is pattern.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// Unicode white space, as the inside of a character class: `[` + kBlank + `]`. PCRE2's own class
/// also has U+180E, which has not been white space since Unicode 6.3.
inline constexpr const char* kBlank = R"(\p{Z}\x{9}-\x{d}\x{85})";

/// A compiled regular expression with Unicode classes and literals. Immutable, so that threads may
/// share one; compiled to machine code if PCRE2 supports it.
/// @code
/// std::vector<std::string> words;
/// Pattern(R"(\p{L}+)").each("h\xc3\xa9, you", [&](std::string_view word) {
///   words.emplace_back(word);
/// });
/// words;  // ["hé", "you"]
/// @endcode
class Pattern {
 public:
  /// @throws std::invalid_argument with PCRE2's reason if it is not a regular expression
  explicit Pattern(const std::string& expression);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  /// Calls `visit` for all non-overlapping matches from left to right; none may be empty. The text
  /// must be valid UTF-8.
  /// @throws std::runtime_error if PCRE2 gives up
  void each(std::string_view text, const std::function<void(std::string_view)>& visit) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

/// @}

}  // namespace gradus

/// @file
/// A text in which each byte is markup or plain text.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace gradus {

/// @addtogroup text
/// @{

/// A text with the origin of each byte. Tokenizers look for special tokens only in markup, so that
/// the message of a user cannot contain one.
/// @code
/// MarkedText text("<|im_end|>", true);
/// text += MarkedText("<|im_end|>", false);
/// text.is_markup(0, 10);  // true
/// text.is_markup(5, 15);  // false
/// @endcode
class MarkedText {
 public:
  MarkedText() = default;
  /// A text that is markup or plain text as a whole.
  MarkedText(std::string bytes, bool is_markup)
      : bytes_(std::move(bytes)), marks_(bytes_.size(), is_markup ? '\1' : '\0') {}

  /// The text.
  const std::string& bytes() const { return bytes_; }
  /// Whether all bytes in [begin, end) are markup.
  bool is_markup(std::size_t begin, std::size_t end) const {
    return std::string_view(marks_).substr(begin, end - begin).find('\0') == std::string_view::npos;
  }
  /// Returns the bytes in [begin, end).
  MarkedText part(std::size_t begin, std::size_t end) const {
    MarkedText text;
    text.bytes_ = bytes_.substr(begin, end - begin);
    text.marks_ = marks_.substr(begin, end - begin);
    return text;
  }
  /// Appends a text.
  MarkedText& operator+=(const MarkedText& text) {
    bytes_ += text.bytes_;
    marks_ += text.marks_;
    return *this;
  }

 private:
  std::string bytes_, marks_;  // of each byte 1 for markup, 0 for plain text
};

/// @}

}  // namespace gradus

#include "nn/text/utf8.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "autograd/check.h"

namespace gradus {
using namespace detail;
namespace {

constexpr char32_t kLargest = 0x10FFFF;

bool is_surrogate(char32_t code_point) { return code_point >= 0xD800 && code_point <= 0xDFFF; }

bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

/// The state of a sequence after its first two bytes, which show every ill-formed start.
Utf8 judge_second(unsigned char first, unsigned char second) {
  if (!is_continuation(second)) return Utf8::kBroken;
  if (first == 0xE0 && second < 0xA0) return Utf8::kOverlong;
  if (first == 0xED && second > 0x9F) return Utf8::kSurrogate;
  if (first == 0xF0 && second < 0x90) return Utf8::kOverlong;
  if (first == 0xF4 && second > 0x8F) return Utf8::kTooLarge;
  return Utf8::kValid;
}

Utf8 judge_first(unsigned char first) {
  if (first < 0x80) return Utf8::kValid;
  if (first < 0xC0) return Utf8::kNoStart;
  if (first < 0xC2) return Utf8::kOverlong;
  if (first < 0xF5) return Utf8::kValid;
  return first < 0xF8 ? Utf8::kTooLarge : Utf8::kNoStart;
}

std::string_view reason(Utf8 state) {
  switch (state) {
    case Utf8::kValid:
      return "is a character";
    case Utf8::kCutShort:
      return "starts a character that the end of the text cuts short";
    case Utf8::kNoStart:
      return "starts no character";
    case Utf8::kBroken:
      return "starts a character that is not continued";
    case Utf8::kOverlong:
      return "starts an overlong form";
    case Utf8::kSurrogate:
      return "starts half of a surrogate pair";
    case Utf8::kTooLarge:
      return "starts a code above U+10FFFF";
  }
  return "";
}

bool starts_as_utf16(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

/// A byte that is not part of a character, in the form for messages.
std::string hex_byte(char byte) {
  std::array<char, 8> hex;
  std::snprintf(hex.data(), hex.size(), "\\x%02x", static_cast<unsigned char>(byte));
  return hex.data();
}

/// Whether a character controls a terminal or changes the direction of the text after it.
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

/// Returns the text with each control character c replaced with show(c).
template <class Show>
std::string without_controls(std::string_view text, const Show& show) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto [character, length, state] = read_utf8(text, at);
    if (state == Utf8::kValid) {
      out += is_control(character) ? show(character) : std::string(text.substr(at, length));
    }
    for (std::size_t i = 0; state != Utf8::kValid && i < length; ++i) {
      out += hex_byte(text[at + i]);
    }
    at += length;
  }
  return out;
}

TextError invalid_utf8(std::string_view text, std::size_t at, Utf8 state) {
  std::array<char, 8> hex;
  std::snprintf(hex.data(), hex.size(), "0x%02x", static_cast<unsigned char>(text[at]));
  const bool utf16 = at == 0 && starts_as_utf16(text);
  const std::string why(utf16 ? "starts a text in UTF-16" : reason(state));
  return TextError(at, "invalid UTF-8", byte_and_line(text, at),
                   std::string(": ") + hex.data() + " " + why +
                       (utf16 ? " (convert it: iconv -f UTF-16 -t UTF-8)"
                              : " (convert it to UTF-8 with iconv, or train a model with "
                                "--tokenizer=byte)"));
}

}  // namespace

Utf8Char read_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1, Utf8::kValid};
  if (const Utf8 state = judge_first(first); state != Utf8::kValid) {
    return {kReplacementCharacter, 1, state};
  }
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  char32_t code_point = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i == text.size()) return {kReplacementCharacter, i, Utf8::kCutShort};
    const Utf8 state = i == 1                     ? judge_second(first, byte(1))
                       : is_continuation(byte(i)) ? Utf8::kValid
                                                  : Utf8::kBroken;
    if (state != Utf8::kValid) return {kReplacementCharacter, i, state};
    code_point = code_point << 6 | (byte(i) & 0x3Fu);
  }
  return {code_point, length, Utf8::kValid};
}

void append_utf8(std::string& out, char32_t code_point) {
  if (is_surrogate(code_point) || code_point > kLargest) {
    fail("append_utf8: ", code_point_name(code_point), " is no character");
  }
  const auto continuation = [&](int shift) {
    return static_cast<char>(0x80 | (code_point >> shift & 0x3F));
  };
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += {static_cast<char>(0xC0 | code_point >> 6), continuation(0)};
  } else if (code_point < 0x10000) {
    out += {static_cast<char>(0xE0 | code_point >> 12), continuation(6), continuation(0)};
  } else {
    out += {static_cast<char>(0xF0 | code_point >> 18), continuation(12), continuation(6),
            continuation(0)};
  }
}

std::u32string utf8_decode(std::string_view text) {
  std::u32string code_points;
  code_points.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char read = read_utf8(text, at);
    if (read.state != Utf8::kValid) throw invalid_utf8(text, at, read.state);
    code_points += read.code_point;
    at += read.length;
  }
  return code_points;
}

void check_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char read = read_utf8(text, at);
    if (read.state != Utf8::kValid) throw invalid_utf8(text, at, read.state);
    at += read.length;
  }
}

std::string utf8_encode(std::u32string_view code_points) {
  std::string text;
  text.reserve(code_points.size());
  for (const char32_t code_point : code_points) append_utf8(text, code_point);
  return text;
}

std::string shown(char32_t code_point) {
  if (code_point == '\n') return "\\n";
  if (code_point == '\r') return "\\r";
  if (code_point == '\t') return "\\t";
  const auto within = [&](char32_t low, char32_t high) {
    return code_point >= low && code_point <= high;
  };
  const bool invisible = within(0, 0x1F) || within(0x7F, 0xA0) || code_point == 0xAD ||
                         within(0x200B, 0x200F) || within(0x2028, 0x202F) ||
                         within(0x2060, 0x206F) || within(0xD800, 0xDFFF) || code_point == 0xFEFF ||
                         within(0xFFF0, 0xFFFB) || code_point > kLargest;
  if (invisible) return "\\u{" + code_point_name(code_point).substr(2) + "}";
  std::string text;
  append_utf8(text, code_point);
  return text;
}

std::string printable(std::string_view text) {
  return without_controls(text, [](char32_t c) -> std::string {
    if (c == '\n' || c == '\t') return {static_cast<char>(c)};
    return c == '\r' ? "" : shown(c);
  });
}

std::string on_one_line(std::string_view text) {
  return without_controls(text, [](char32_t c) { return shown(c); });
}

std::string code_point_name(char32_t code_point) {
  std::array<char, 16> name;
  std::snprintf(name.data(), name.size(), "U+%04X", static_cast<unsigned>(code_point));
  return name.data();
}

std::string byte_and_line(std::string_view text, std::size_t at, std::size_t skipped) {
  const auto line = 1 + std::ranges::count(text.substr(0, at), '\n');
  return "byte " + std::to_string(skipped + at) + " (line " + std::to_string(line) + ")";
}

std::string Utf8Buffer::push(std::string_view bytes) {
  held_ += bytes;
  std::string whole;
  std::size_t at = 0;
  while (at < held_.size()) {
    const Utf8Char read = read_utf8(held_, at);
    if (read.state == Utf8::kCutShort) break;
    append_utf8(whole, read.code_point);
    at += read.length;
  }
  held_.erase(0, at);
  return whole;
}

std::string Utf8Buffer::flush() {
  std::string rest;
  if (!held_.empty()) append_utf8(rest, kReplacementCharacter);
  held_.clear();
  return rest;
}

}  // namespace gradus

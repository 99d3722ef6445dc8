/// @file
/// Strict UTF-8: rejects every sequence that is ill-formed in Unicode (The Unicode Standard, table
/// 3-7): overlong forms, surrogates, codes above U+10FFFF, lone or missing continuation bytes. Left
/// out on purpose: normalisation, case, grapheme clusters. Here, a character is a code point.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace gradus {

/// @addtogroup text
/// @{

/// The error for a text that cannot be read or encoded because of one byte. For a text from a file,
/// Text::blame() (nn/data/corpus.h) rewords the error with the file's name and the location in the
/// file; what() is for a text without a file.
/// @code
/// try {
///   check_utf8("one\ntwo\xff");
/// } catch (const TextError& error) {
///   error.byte();  // 7
/// }
/// @endcode
class TextError : public std::invalid_argument {
 public:
  /// what() becomes `problem + " at " + place + details`.
  TextError(std::size_t byte, std::string problem, const std::string& place, std::string details)
      : std::invalid_argument(problem + " at " + place + details),
        byte_(byte),
        problem_(std::move(problem)),
        details_(std::move(details)) {}

  std::size_t byte() const { return byte_; }  ///< the byte's position, from 0

  /// Returns the message with another location: `problem + " at " + place + details`.
  std::string message_at(const std::string& place) const {
    return problem_ + " at " + place + details_;
  }

 private:
  std::size_t byte_;
  std::string problem_, details_;
};

/// The state of the bytes at one position of a text that should be UTF-8.
enum class Utf8 {
  kValid,      ///< a whole character
  kCutShort,   ///< the text ends inside a character; more bytes could complete it
  kNoStart,    ///< a byte that cannot start a character: a continuation byte, or 0xf8 and above
  kBroken,     ///< a continuation byte is missing
  kOverlong,   ///< a longer form than the character needs, such as 0xc0 0x80
  kSurrogate,  ///< a code from U+D800 to U+DFFF, which is half of a UTF-16 pair, not a character
  kTooLarge,   ///< a code above U+10FFFF
};

/// One character read from UTF-8, or the reason why it is invalid.
struct Utf8Char {
  char32_t code_point;  ///< U+FFFD unless state is kValid
  std::size_t length;   ///< bytes read: the character, or the invalid start of one (1 to 3)
  Utf8 state;           ///< the result
};

/// The byte order mark U+FEFF, which some programs write before a text to mark it as UTF-8. It is
/// not part of the text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The character that replaces invalid bytes.
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

/// Reads the character that starts at byte `at`, which must be below text.size(). The length of an
/// ill-formed sequence is the length of the longest start of a character in it, as Unicode
/// recommends: replacing each sequence with U+FFFD gives the same text as Python's
/// errors="replace".
Utf8Char read_utf8(std::string_view text, std::size_t at);

/// Appends one character to `out` as UTF-8.
/// @throws std::invalid_argument for a surrogate or a code above U+10FFFF
void append_utf8(std::string& out, char32_t code_point);

/// Decodes a whole text to code points.
/// @throws TextError naming byte and line of the first invalid byte
std::u32string utf8_decode(std::string_view text);

/// Checks that a text is UTF-8.
/// @throws TextError naming byte and line of the first invalid byte
void check_utf8(std::string_view text);

/// Encodes code points as UTF-8: `utf8_encode(U"h\u00e9") == "h\xc3\xa9"`.
/// @throws std::invalid_argument for a surrogate or a code above U+10FFFF
std::string utf8_encode(std::u32string_view code_points);

/// Returns the character for an error message: escaped if it would be invisible or move the cursor
/// (`\n`, `\t`, `\r`, `\u{200B}`), otherwise unchanged.
std::string shown(char32_t code_point);

/// Makes an untrusted text safe for a terminal. Control characters and characters that change the
/// direction of writing become escapes such as `\u{1B}`, and invalid bytes become `\xff`, so that
/// none can control the terminal. Line feeds and tabs stay; carriage returns are dropped.
std::string printable(std::string_view text);

/// The same for a part of a line or a field between tabs: line feeds, tabs and carriage returns
/// also become `\n`, `\t` and `\r`.
std::string on_one_line(std::string_view text);

/// Returns the usual name of a code point, such as `U+00E9`.
std::string code_point_name(char32_t code_point);

/// Returns a location for error messages: `byte 1234 (line 17)`. Bytes count from 0 as in a hex
/// dump, lines from 1 as in an editor; a line feed ends a line. `skipped` is the number of bytes of
/// the file before the text.
std::string byte_and_line(std::string_view text, std::size_t at, std::size_t skipped = 0);

/// Groups bytes into whole characters, to print tokens that hold parts of characters. The output is
/// always valid UTF-8: bytes that cannot be part of a character become U+FFFD, so that half a
/// character cannot garble a terminal (for control characters, use printable()). At most three
/// bytes are held back.
/// @code
/// Utf8Buffer out;
/// out.push("h\xc3");  // "h"
/// out.push("\xa9");   // "é"
/// out.flush();        // ""
/// @endcode
class Utf8Buffer {
 public:
  /// Takes the next bytes and returns the characters that are now whole.
  std::string push(std::string_view bytes);

  /// Ends the text: returns U+FFFD if a character is incomplete, otherwise an empty string.
  std::string flush();

 private:
  std::string held_;  // the start of an incomplete character
};

/// @}

}  // namespace gradus

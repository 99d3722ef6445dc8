#include "nn/text/utf8.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

using namespace gradus;

namespace {

char32_t random_character(std::mt19937& random) {
  // One length class after the other, so that all are equally frequent.
  constexpr char32_t kEnds[] = {0x80, 0x800, 0x10000, 0x110000};
  for (;;) {
    const char32_t character = random() % kEnds[random() % 4];
    if (character < 0xD800 || character > 0xDFFF) return character;
  }
}

std::string through_buffer(const std::vector<std::string>& pieces) {
  Utf8Buffer buffer;
  std::string out;
  for (const std::string& piece : pieces) out += buffer.push(piece);
  return out + buffer.flush();
}

bool is_valid(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char read = read_utf8(text, at);
    if (read.state != Utf8::kValid) return false;
    at += read.length;
  }
  return true;
}

}  // namespace

TEST_CASE("utf8: characters of every length, as bytes") {
  CHECK(utf8_encode(U"A") == "A");
  CHECK(utf8_encode(U"\u00e9") == "\xC3\xA9");
  CHECK(utf8_encode(U"\u20ac") == "\xE2\x82\xAC");
  CHECK(utf8_encode(U"\U0001F98A") == "\xF0\x9F\xA6\x8A");
  CHECK(utf8_decode("A\xC3\xA9\xE2\x82\xAC\xF0\x9F\xA6\x8A") == U"A\u00e9\u20ac\U0001F98A");
  CHECK(utf8_decode("").empty());
  CHECK(utf8_decode(std::string_view("\0", 1)) == std::u32string(1, U'\0'));
}

TEST_CASE("utf8: every code point comes back, and only surrogates are refused") {
  for (char32_t character = 0; character < 0x110000; ++character) {
    if (character >= 0xD800 && character <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, character);
    const Utf8Char read = read_utf8(text, 0);
    if (read.state != Utf8::kValid || read.code_point != character || read.length != text.size()) {
      FAIL(code_point_name(character), " does not come back");
    }
  }
  std::string text;
  CHECK_THROWS_WITH_AS(append_utf8(text, 0xD800), "append_utf8: U+D800 is no character",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(append_utf8(text, 0xDFFF), doctest::Contains("U+DFFF"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(append_utf8(text, 0x110000), doctest::Contains("U+110000"),
                       std::invalid_argument);
}

TEST_CASE("utf8: random texts come back") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::u32string characters;
    for (std::size_t i = random() % 50; i > 0; --i) characters += random_character(random);
    CHECK(utf8_decode(utf8_encode(characters)) == characters);
  }
}

TEST_CASE("utf8: ill-formed sequences, each with its reason and length") {
  struct Case {
    std::string bytes;
    Utf8 state;
    std::size_t length;
  };
  const std::vector<Case> cases = {
      {"\x80", Utf8::kNoStart, 1},
      {"\xBF", Utf8::kNoStart, 1},
      {"\xF8\x88\x80\x80\x80", Utf8::kNoStart, 1},
      {"\xFF", Utf8::kNoStart, 1},
      {"\xC0\x80", Utf8::kOverlong, 1},
      {"\xC1\xBF", Utf8::kOverlong, 1},
      {"\xE0\x9F\xBF", Utf8::kOverlong, 1},
      {"\xF0\x8F\xBF\xBF", Utf8::kOverlong, 1},
      {"\xED\xA0\x80", Utf8::kSurrogate, 1},
      {"\xED\xBF\xBF", Utf8::kSurrogate, 1},
      {"\xF4\x90\x80\x80", Utf8::kTooLarge, 1},
      {"\xF5\x80\x80\x80", Utf8::kTooLarge, 1},
      {"\xC3", Utf8::kCutShort, 1},
      {"\xE2\x82", Utf8::kCutShort, 2},
      {"\xF0\x9F\xA6", Utf8::kCutShort, 3},
      {"\xC3(", Utf8::kBroken, 1},
      {"\xE2\x82(", Utf8::kBroken, 2},
      {"\xE2(\xAC", Utf8::kBroken, 1},
      {"\xF0\x9F\xA6(", Utf8::kBroken, 3},
  };
  for (const Case& c : cases) {
    CAPTURE(c.bytes);
    const Utf8Char read = read_utf8(c.bytes, 0);
    CHECK(read.state == c.state);
    CHECK(read.length == c.length);
    CHECK(read.code_point == kReplacementCharacter);
    CHECK_THROWS_AS(utf8_decode(c.bytes), TextError);
  }
  // The neighbours of the refused sequences are characters.
  for (const char* bytes : {"\xC2\x80", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                            "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    CHECK(read_utf8(bytes, 0).state == Utf8::kValid);
  }
}

TEST_CASE("utf8: the error names byte, line, reason and remedy") {
  const std::string remedy =
      " (convert it to UTF-8 with iconv, or train a model with --tokenizer=byte)";
  const auto expect_with = [&](const std::string& text, const std::string& message,
                               const std::string& remedy) {
    CHECK_THROWS_WITH_AS(utf8_decode(text), ("invalid UTF-8 at " + message + remedy).c_str(),
                         TextError);
  };
  const auto expect = [&](const std::string& text, const std::string& message) {
    expect_with(text, message, remedy);
  };
  expect("ab\n\nc\xFF", "byte 5 (line 3): 0xff starts no character");
  expect("\xC3(", "byte 0 (line 1): 0xc3 starts a character that is not continued");
  expect("\n\xE2\x82",
         "byte 1 (line 2): 0xe2 starts a character that the end of the text cuts short");
  expect("\xC0\x80", "byte 0 (line 1): 0xc0 starts an overlong form");
  expect("\xED\xA0\x80", "byte 0 (line 1): 0xed starts half of a surrogate pair");
  expect("\xF4\x90\x80\x80", "byte 0 (line 1): 0xf4 starts a code above U+10FFFF");
  const std::string iconv = " (convert it: iconv -f UTF-16 -t UTF-8)";
  expect_with("\xFF\xFEh", "byte 0 (line 1): 0xff starts a text in UTF-16", iconv);
  expect_with("\xFE\xFFh", "byte 0 (line 1): 0xfe starts a text in UTF-16", iconv);
}

TEST_CASE("utf8: characters as messages show them") {
  CHECK(shown(U'a') == "a");
  CHECK(shown(U'\u00e9') == "\xC3\xA9");
  CHECK(shown(U'\n') == "\\n");
  CHECK(shown(U'\r') == "\\r");
  CHECK(shown(U'\t') == "\\t");
  CHECK(shown(0) == "\\u{0000}");
  CHECK(shown(0x1B) == "\\u{001B}");
  CHECK(shown(0x202E) == "\\u{202E}");
  CHECK(shown(0xFEFF) == "\\u{FEFF}");
  CHECK(code_point_name(U'\u00e9') == "U+00E9");
  CHECK(code_point_name(0x1F98A) == "U+1F98A");
}

TEST_CASE("utf8: control characters of a terminal are never printed unchanged") {
  CHECK(printable("caf\xC3\xA9\n\tx\r\n") == "caf\xC3\xA9\n\tx\n");
  CHECK(printable("\x1b]0;pwned\x07\xff\n") == "\\u{001B}]0;pwned\\u{0007}\\xff\n");
  CHECK(printable("\xC2\x9B"
                  "2J \x7f \xE2\x80\xAE \xE2\x81\xA6") ==
        "\\u{009B}2J \\u{007F} \\u{202E} \\u{2066}");
  CHECK(printable("\xE2\x82") == "\\xe2\\x82");
  CHECK(printable(std::string(1, '\0')) == "\\u{0000}");
  CHECK(printable("\xC2\xA0\xE2\x80\x8D") == "\xC2\xA0\xE2\x80\x8D");  // these move nothing
  CHECK(on_one_line("a\tb\nc\rd\x1b") == "a\\tb\\nc\\rd\\u{001B}");
}

TEST_CASE("utf8 buffer: releases whole characters only") {
  Utf8Buffer buffer;
  CHECK(buffer.push("a\xF0") == "a");
  CHECK(buffer.push("\x9F") == "");
  CHECK(buffer.push("\xA6") == "");
  CHECK(buffer.push("\x8A!") == "\xF0\x9F\xA6\x8A!");
  CHECK(buffer.flush() == "");
  CHECK(buffer.push("\xE2\x82") == "");
  CHECK(buffer.flush() == "\xEF\xBF\xBD");
  CHECK(buffer.flush() == "");
}

TEST_CASE("utf8 buffer: invalid bytes become U+FFFD, as with Python's errors='replace'") {
  const std::string fffd = "\xEF\xBF\xBD";
  CHECK(through_buffer({"a\xFFz"}) == "a" + fffd + "z");
  CHECK(through_buffer({"\xE2", "\x82", "("}) == fffd + "(");
  CHECK(through_buffer({"\xED\xA0\x80"}) == fffd + fffd + fffd);
  CHECK(through_buffer({"\xF0\x9F\xF0\x9F\xA6\x8A"}) == fffd + "\xF0\x9F\xA6\x8A");
}

TEST_CASE("utf8 buffer: any bytes come out valid, and the same however they are cut") {
  std::mt19937 random(11);
  for (int round = 0; round < 500; ++round) {
    std::string bytes;
    std::vector<std::string> single;
    for (std::size_t i = random() % 40; i > 0; --i) {
      // Mostly high bytes, since ASCII would rarely test a rule.
      const auto byte =
          static_cast<char>(random() % 4 == 0 ? random() % 128 : 128 + random() % 128);
      bytes += byte;
      single.push_back(std::string(1, byte));
    }
    const std::string whole = through_buffer({bytes});
    CHECK(is_valid(whole));
    CHECK(through_buffer(single) == whole);
  }
  std::u32string characters;
  for (int i = 0; i < 1000; ++i) characters += random_character(random);
  const std::string text = utf8_encode(characters);
  std::vector<std::string> single;
  for (const char byte : text) single.push_back(std::string(1, byte));
  CHECK(through_buffer(single) == text);
}

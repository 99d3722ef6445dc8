/// @file
/// UTF-8, against a decoder written here from table 3-7 of the Unicode Standard, and texts that
/// begin with "!", from which tokenizers are learned.
#include "nn/data/corpus.h"
#include "nn/files/tokenizer_files.h"
#include "tests/fuzz/fuzz.h"

namespace gradus {
namespace {

/// The length of the well-formed character at the start of a text; 0 if there is none.
std::size_t well_formed(std::string_view s) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < s.size() ? static_cast<unsigned char>(s[i]) : 0U;
  };
  const auto in = [&](std::size_t i, unsigned low, unsigned high) {
    return i < s.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return in(1, 0x80, 0xbf) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const unsigned low = first == 0xe0 ? 0xa0 : 0x80, high = first == 0xed ? 0x9f : 0xbf;
    return in(1, low, high) && in(2, 0x80, 0xbf) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const unsigned low = first == 0xf0 ? 0x90 : 0x80, high = first == 0xf4 ? 0x8f : 0xbf;
    return in(1, low, high) && in(2, 0x80, 0xbf) && in(3, 0x80, 0xbf) ? 4 : 0;
  }
  return 0;
}

void try_utf8(std::string_view text) {
  std::string replaced;
  bool is_valid = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = well_formed(text.substr(at));
    const Utf8Char found = read_utf8(text, at);
    holds((found.state == Utf8::kValid) == (length > 0),
          "a character is valid if it is well-formed");
    holds(length == 0 || found.length == length, "and has its length");
    holds(found.length >= 1 && at + found.length <= text.size(),
          "something is read, within the text");
    if (length > 0) {
      replaced += text.substr(at, length);
      std::string written;
      append_utf8(written, found.code_point);
      holds(written == text.substr(at, length), "a character is written as it was read");
    } else {
      is_valid = false;
      append_utf8(replaced, kReplacementCharacter);
    }
    at += found.length;
  }
  holds(accepts([&] { check_utf8(text); }) == is_valid, "the whole is valid if each character is");
  Utf8Buffer buffer;
  std::string out;
  for (std::size_t at = 0, step = 1; at < text.size(); at += step, step = step % 5 + 1) {
    out += buffer.push(text.substr(at, step));
  }
  out += buffer.flush();
  holds(out == replaced, "pieces give the characters of the whole");
  holds(accepts([&] { check_utf8(printable(text)); }), "what is printed is valid");
  holds(on_one_line(text).find('\n') == std::string::npos, "one line is one line");
}

}  // namespace

void fuzz(std::string_view input) {
  try_utf8(input);
  if (input.size() > 400 || !input.starts_with('!')) return;  // learning takes most of the time
  for (const char* kind : {"char", "byte", "bpe", "word", "wordpiece"}) {
    std::unique_ptr<Tokenizer> tokenizer;
    accepts([&] {
      Text text;
      text.append("text", std::string(input));
      const std::string name = kind;
      tokenizer = learn_tokenizer(name, text, name == "bpe" ? 260 : name == "wordpiece" ? 60 : 0);
    });
    if (!tokenizer) continue;
    const std::vector<std::int32_t> tokens = tokenizer->encode(input);
    const std::string decoded = tokenizer->decode(tokens);
    holds(tokenizer->name() == "word" || tokenizer->name() == "wordpiece" || decoded == input,
          "the text that a tokenizer was learned from is decoded as it was");
    const auto again = tokenizer_from_json(tokenizer_to_json(*tokenizer), "it");
    holds(again->encode(input) == tokens, "a tokenizer that was read again gives the same tokens");
  }
}

}  // namespace gradus

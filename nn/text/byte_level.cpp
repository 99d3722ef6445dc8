#include "nn/text/byte_level.h"

#include "nn/text/utf8.h"

namespace gradus {
namespace {

constexpr std::size_t kPrinting = 94 + 12 + 82;  // bytes that represent themselves
constexpr char32_t kFirstOther = 0x100;

bool prints(unsigned byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

struct Alphabet {
  std::array<unsigned char, 256> order{};
  std::array<char32_t, 256> characters{};

  Alphabet() {
    std::size_t printing = 0, other = kPrinting;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const std::size_t place = prints(byte) ? printing++ : other++;
      order[place] = static_cast<unsigned char>(byte);
      characters[byte] =
          prints(byte) ? byte : kFirstOther + static_cast<char32_t>(place - kPrinting);
    }
  }
};

const Alphabet& alphabet() {
  static const Alphabet made;
  return made;
}

}  // namespace

const std::array<unsigned char, 256>& byte_level_order() { return alphabet().order; }

std::string to_byte_level(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    append_utf8(text, alphabet().characters[static_cast<unsigned char>(byte)]);
  }
  return text;
}

std::optional<std::string> from_byte_level(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size();) {
    const auto [character, length, state] = read_utf8(text, at);
    const bool is_other = character >= kFirstOther && character < kFirstOther + 256 - kPrinting;
    if (state != Utf8::kValid || !(is_other || (character < 256 && prints(character)))) return {};
    bytes += static_cast<char>(is_other ? alphabet().order[kPrinting + character - kFirstOther]
                                        : character);
    at += length;
  }
  return bytes;
}

}  // namespace gradus

#include "nn/text/byte_tokenizer.h"

namespace gradus {

std::vector<std::int32_t> ByteTokenizer::encode(std::string_view text) const {
  std::vector<std::int32_t> tokens;
  tokens.reserve(text.size());
  for (const char byte : text) tokens.push_back(static_cast<unsigned char>(byte));
  return tokens;
}

std::string ByteTokenizer::decode(std::span<const std::int32_t> tokens) const {
  std::string text;
  text.reserve(tokens.size());
  for (const std::int32_t token : tokens) {
    check_token(token);
    text += static_cast<char>(token);
  }
  return text;
}

std::string ByteTokenizer::piece(std::int32_t token) const { return decode({&token, 1}); }

}  // namespace gradus

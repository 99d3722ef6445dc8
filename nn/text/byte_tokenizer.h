#pragma once

#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup text
/// @{

/// One token per byte: 256 tokens, each with the byte's value. Reads any file and learns nothing. A
/// character outside ASCII takes two to four tokens.
/// @code
/// ByteTokenizer().encode("h\xc3\xa9");  // [104, 195, 169]
/// @endcode
class ByteTokenizer final : public Tokenizer {
 public:
  std::string name() const override { return "byte"; }
  int vocab_size() const override { return 256; }
  std::vector<std::int32_t> encode(std::string_view text) const override;
  std::string decode(std::span<const std::int32_t> tokens) const override;
  std::string piece(std::int32_t token) const override;
};

/// @}

}  // namespace gradus

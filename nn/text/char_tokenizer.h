#pragma once

#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup text
/// @{

/// One token per Unicode code point that occurs in a text. Tokens number the characters in
/// ascending order of code points, like nanoGPT's `chars = sorted(list(set(data)))`, so that a text
/// has the same tokens here and in nanoGPT.
/// @code
/// const auto tokenizer = CharTokenizer::learn("banana");  // a is 0, b 1, n 2
/// tokenizer.encode("nab");                                // [2, 0, 1]
/// @endcode
class CharTokenizer final : public Tokenizer {
 public:
  /// Makes a tokenizer with all characters of the text.
  /// @throws TextError where the text is not UTF-8; std::invalid_argument if it is empty
  static CharTokenizer learn(std::string_view text);

  /// Makes a tokenizer whose token i is vocabulary[i]; needs at least one character.
  /// @throws std::invalid_argument unless the characters ascend strictly
  explicit CharTokenizer(std::u32string vocabulary);

  std::string name() const override { return "char"; }
  int vocab_size() const override { return static_cast<int>(vocabulary_.size()); }
  std::vector<std::int32_t> encode(std::string_view text) const override;
  std::string decode(std::span<const std::int32_t> tokens) const override;
  std::string piece(std::int32_t token) const override;

 private:
  std::u32string vocabulary_;  // ascending, for binary search
};

/// @}

}  // namespace gradus

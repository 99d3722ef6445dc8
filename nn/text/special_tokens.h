/// @file
/// The special tokens that models of texts need in addition to the tokens of a tokenizer.
#pragma once

#include <cstdint>

#include "autograd/shape.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup text
/// @{

/// The four tokens that tasks insert. They are the tokenizer's frame_tokens() if it has such
/// tokens, as BERT's has. Otherwise they are the four numbers after the tokenizer's tokens, so that
/// no text can contain them.
/// @code
/// const SpecialTokens special(ByteTokenizer{});
/// special.mask;           // 259
/// special.contains(255);  // false
/// @endcode
struct SpecialTokens {
  std::int32_t pad;    ///< fills rows up to the longest
  std::int32_t begin;  ///< before a text: `<SOS>`, or [CLS] of BERT
  std::int32_t end;    ///< after a text: `<EOS>`, or [SEP] of BERT
  std::int32_t mask;   ///< [MASK] of BERT
  Index vocab_size;    ///< a model's: the number of the tokenizer's tokens and these

  /// The special tokens for this tokenizer.
  explicit SpecialTokens(const Tokenizer& tokenizer);
  /// Whether a token is one of the four.
  bool contains(std::int32_t token) const;
};

/// @}

}  // namespace gradus

/// @file
/// The tokens that models of texts need beyond a tokenizer's.
#pragma once

#include <cstdint>

#include "autograd/shape.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup text
/// @{

/// The four tokens that tasks set themselves: the tokenizer's own frame_tokens(), if it has such,
/// as BERT's has; else four behind those of the tokenizer, whatever its kind, so that no text can
/// hold them.
/// @code
/// const SpecialTokens special(ByteTokenizer{});
/// special.mask;           // 259
/// special.contains(255);  // false
/// @endcode
struct SpecialTokens {
  std::int32_t pad;    ///< fills rows up to the longest
  std::int32_t begin;  ///< `<SOS>`, and [CLS] of BERT
  std::int32_t end;    ///< `<EOS>`, and [SEP] of BERT
  std::int32_t mask;   ///< [MASK] of BERT
  Index vocab_size;    ///< of a model: the tokenizer's tokens and these

  /// Those of this tokenizer.
  explicit SpecialTokens(const Tokenizer& tokenizer);
  /// Whether a token is one of the four.
  bool contains(std::int32_t token) const;
};

/// @}

}  // namespace gradus

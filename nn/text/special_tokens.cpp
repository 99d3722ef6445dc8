#include "nn/text/special_tokens.h"

#include <optional>

namespace gradus {

SpecialTokens::SpecialTokens(const Tokenizer& tokenizer)
    : pad(tokenizer.vocab_size()),
      begin(pad + 1),
      end(pad + 2),
      mask(pad + 3),
      vocab_size(Index{pad} + 4) {
  if (const std::optional<FrameTokens> own = tokenizer.frame_tokens()) {
    vocab_size = tokenizer.vocab_size();
    pad = own->pad;
    begin = own->begin;
    end = own->end;
    mask = own->mask;
  }
}

bool SpecialTokens::contains(std::int32_t token) const {
  return token == pad || token == begin || token == end || token == mask;
}

}  // namespace gradus

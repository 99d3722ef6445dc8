#include "nn/text/tokenizer.h"

#include "autograd/check.h"

namespace gradus {
using namespace detail;

void Tokenizer::check_token(std::int32_t token) const {
  if (token < 0 || token >= vocab_size()) {
    fail(name(), " tokenizer: token ", token, " is outside the vocabulary of ", vocab_size());
  }
}

}  // namespace gradus

#include "nn/text/tokenizer.h"

#include <algorithm>

#include "autograd/check.h"

namespace gradus {
using namespace detail;

void Tokenizer::check_token(std::int32_t token) const {
  if (token < 0 || token >= vocab_size()) {
    fail(name(), " tokenizer: token ", token, " is outside the vocabulary of ", vocab_size());
  }
}

std::vector<std::int32_t> with_begin(const Tokenizer& tokenizer, std::vector<std::int32_t> tokens) {
  const TextRules* rules = tokenizer.rules();
  if (rules != nullptr && rules->begin) tokens.insert(tokens.begin(), *rules->begin);
  return tokens;
}

bool ends_text(const Tokenizer& tokenizer, std::int32_t token) {
  const TextRules* rules = tokenizer.rules();
  return rules != nullptr && std::ranges::find(rules->ends, token) != rules->ends.end();
}

}  // namespace gradus

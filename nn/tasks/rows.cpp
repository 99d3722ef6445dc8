#include "nn/tasks/rows.h"

#include <algorithm>
#include <stdexcept>

#include "autograd/check.h"
#include "autograd/random.h"
#include "nn/text/utf8.h"

namespace gradus {

SpecialTokens::SpecialTokens(const Tokenizer& tokenizer)
    : pad(tokenizer.vocab_size()),
      begin(pad + 1),
      end(pad + 2),
      mask(pad + 3),
      vocab_size(Index{pad} + 4) {}

IndexTensor padded(const std::vector<TokenRow>& rows, std::int32_t filler) {
  check(!rows.empty(), "padded: there are no rows");
  const std::size_t longest = std::ranges::max(rows, {}, &TokenRow::size).size();
  IndexTensor all(Shape{std::ssize(rows), static_cast<Index>(longest)});
  std::ranges::fill(all, filler);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::copy(rows[i], all.data() + i * longest);
  }
  return all;
}

std::vector<std::size_t> drawn_items(const RandomKey& key, int count, std::size_t of) {
  check(of > 0, "there are no examples to draw from");
  std::vector<std::size_t> numbers;
  for (int i = 0; i < count; ++i) {
    numbers.push_back(static_cast<std::size_t>(uniform_index(key, i, static_cast<Index>(of))));
  }
  return numbers;
}

TokenRow encoded(const Tokenizer& tokenizer, const std::string& text, Index most) {
  try {
    TokenRow tokens = tokenizer.encode(text);
    check(std::ssize(tokens) <= most, "'", text, "': has ", tokens.size(),
          " tokens, and the model takes ", most, " (choose a larger --block_size)");
    return tokens;
  } catch (const TextError& error) {
    fail("'", text, "': ", error.what());
  }
}

std::string decoded(const Tokenizer& tokenizer, const TokenRow& tokens) {
  TokenRow own;
  std::ranges::copy_if(tokens, std::back_inserter(own),
                       [&](std::int32_t token) { return token < tokenizer.vocab_size(); });
  return tokenizer.decode(own);
}

}  // namespace gradus

#include "nn/tasks/rows.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "autograd/check.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/random.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;

IndexTensor padded(const std::vector<TokenRow>& rows, std::int32_t filler) {
  check(!rows.empty(), "padded: there are no rows");
  const std::size_t longest = std::ranges::max(rows, {}, &TokenRow::size).size();
  IndexTensor all(Shape{std::ssize(rows), static_cast<Index>(longest)});
  std::fill_n(all.mutable_data(), all.size(), filler);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::copy(rows[i], all.mutable_data() + i * longest);
  }
  return all;
}

std::vector<std::size_t> sample_indices(const RandomKey& key, int count, std::size_t of) {
  check(of > 0, "there are no examples to draw from");
  std::vector<std::size_t> numbers;
  for (int i = 0; i < count; ++i) {
    numbers.push_back(static_cast<std::size_t>(uniform_index(key, i, static_cast<Index>(of))));
  }
  return numbers;
}

std::vector<std::size_t> rows_of(const std::vector<std::size_t>& numbers, const RowRange& part) {
  const auto first = numbers.begin() + part.first;
  return {first, first + part.count};
}

IndexTensor rows_of(const IndexTensor& x, const RowRange& part) {
  const Index width = x.size(1);
  return {Shape{part.count, width},
          std::span(x).subspan(static_cast<std::size_t>(part.first * width),
                               static_cast<std::size_t>(part.count * width))};
}

double targets_in(const IndexTensor& targets) {
  return static_cast<double>(targets.size() - std::ranges::count(targets, kIgnoreIndex));
}

std::string excerpt(const std::string& text) {
  constexpr std::size_t kShown = 60;
  if (text.size() <= kShown) {
    return "'" + text + "'";
  }
  std::size_t end = kShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
    --end;  // to the start of a character
  }
  return "'" + text.substr(0, end) + "...'";
}

TextRefused::TextRefused(std::string text, const std::string& why)
    : std::invalid_argument(excerpt(text) + ": " + why), text_(std::move(text)) {}

TokenRow encoded(const Tokenizer& tokenizer, const std::string& given, Index most, bool continues) {
  TokenRow tokens;
  try {
    tokens = continues ? tokenizer.encode_continuation(given) : tokenizer.encode(given);
  } catch (const TextError& error) {
    throw TextRefused(given, error.what());
  }
  if (std::ssize(tokens) > most) {
    throw TextRefused(given, text("must have at most ", most, " tokens, got ", tokens.size(),
                                  " (shorten it, or train a model with a larger --block_size)"));
  }
  return tokens;
}

std::string decoded(const Tokenizer& tokenizer, const TokenRow& tokens) {
  const SpecialTokens special(tokenizer);
  TokenRow own;
  std::ranges::copy_if(tokens, std::back_inserter(own),
                       [&](std::int32_t token) { return !special.contains(token); });
  return tokenizer.decode(own);
}

}  // namespace gradus

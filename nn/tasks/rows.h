/// @file
/// Texts of different lengths as one batch.
#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "autograd/index_tensor.h"
#include "autograd/kernels/philox.h"
#include "nn/text/special_tokens.h"
#include "nn/text/tokenizer.h"
#include "nn/train/task.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// The tokens of one text.
using TokenRow = std::vector<std::int32_t>;

/// Rows of tokens as [B, longest], shorter ones filled up at the end.
/// @code
/// padded({{5, 6, 7}, {8}}, 0);  // [[5, 6, 7], [8, 0, 0]]
/// @endcode
/// @throws std::invalid_argument if there is no row.
IndexTensor padded(const std::vector<TokenRow>& rows, std::int32_t filler);

/// The numbers of `count` items of `of`, drawn with the key, each as likely as any other.
/// @throws std::invalid_argument if there is none to draw.
std::vector<std::size_t> sample_indices(const RandomKey& key, int count, std::size_t of);

/// The numbers in a part of the batch.
std::vector<std::size_t> rows_of(const std::vector<std::size_t>& numbers, const RowRange& part);
/// The same of a tensor [B, T].
IndexTensor rows_of(const IndexTensor& x, const RowRange& part);

/// The first `most` items, or all if there are fewer.
template <class Item>
std::span<const Item> first_of(const std::vector<Item>& items, std::size_t most) {
  return std::span(items).first(std::min(most, items.size()));
}

/// How many of these targets count in a loss, because they are not kIgnoreIndex.
double targets_in(const IndexTensor& targets);

/// A text in quotes for a message. A long text is cut off.
std::string excerpt(const std::string& text);

/// A text that a model cannot take.
/// @code
/// try {
///   encoded(CharTokenizer::learn("ab"), "abc", 10);
/// } catch (const TextRefused& refused) {
///   refused.text();  // "abc"
/// }
/// @endcode
class TextRefused : public std::invalid_argument {
 public:
  /// The message is `'the text': why`, with the text excerpt().
  TextRefused(std::string text, const std::string& why);
  const std::string& text() const { return text_; }  ///< the whole of it

 private:
  std::string text_;
};

/// The tokens of a text in the vocabulary of a task. With `continues`, the text continues another
/// one.
/// @throws TextRefused if the tokenizer cannot encode the text, or if it has more than `most`
/// tokens.
TokenRow encoded(const Tokenizer& tokenizer, const std::string& given, Index most,
                 bool continues = false);

/// The text of the tokens. SpecialTokens are skipped: they represent no text.
std::string decoded(const Tokenizer& tokenizer, const TokenRow& tokens);

/// @}

}  // namespace gradus

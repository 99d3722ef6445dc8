/// @file
/// A GPT that reads each token once: keys and values of what it has read are kept.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include "nn/models/gpt.h"

namespace gradus {

/// @addtogroup generate
/// @{

/// Reads texts token by token and says what comes next; B texts of one length side by side, for
/// which the weights are read once.
///
/// Equal to the model over all that was read, within rounding. A text's numbers are the same bits
/// whatever stands beside it, for up to kFewRows texts. The room for keys and values is taken at
/// the beginning, for n_positions tokens; once n_positions tokens were read one by one, and after
/// clear(), more of them take nothing from the system. Refers to the model, which must live and
/// must not change meanwhile. A copy goes on by itself.
///
/// @code
/// GptReader reader(model);
/// Tensor logits = reader.step(indices({{5, 2, 7}}));  // after the third token: [1, V]
/// logits = reader.step(indices({{1}}));               // after a fourth one
/// @endcode
class GptReader {
 public:
  /// For B = `texts` texts, of which nothing is read yet.
  /// @throws std::invalid_argument if there are none.
  explicit GptReader(const Gpt& model, Index texts = 1);

  /// B.
  Index texts() const { return caches_.front().attention.keys.size(0); }
  /// How many tokens of each text were read.
  Index length() const { return caches_.front().attention.length; }

  /// Reads T more tokens of each text, [B, T], and returns the logits after the last one, [B, V].
  /// @throws std::invalid_argument if there is another number of texts, no token, more than
  /// n_positions in all, or one that the model lacks; then nothing was read.
  Tensor step(const IndexTensor& tokens);

  /// Forgets what was read.
  void clear();

  /// Reads on in texts that have grown by a token each, all of one length; the first time, all of
  /// them. Where the window is full, or the texts are longer to begin with, it goes on from the
  /// last window_after_slide() tokens. `tokens(text)` is the list of a text's tokens.
  template <class Texts, class Tokens = std::identity>
  Tensor read_on(const Texts& texts, Tokens tokens = {});

  /// What was read of texts rows[0], rows[1] ..., as texts 0, 1 ...; one may stand there several
  /// times or not at all.
  /// @throws std::invalid_argument if there are no rows, or one is no text of this.
  GptReader of_rows(const IndexTensor& rows) const;

 private:
  const Gpt* model_;
  std::vector<BlockCache> caches_;  // one for each layer
};

/// How many tokens the model goes on from when a text has outgrown it: the last three quarters of
/// n_positions, rounded up.
Index window_after_slide(Index n_positions);

template <class Texts, class Tokens>
Tensor GptReader::read_on(const Texts& texts, Tokens tokens) {
  const Index most = model_->config.n_positions;
  if (length() == most) {
    clear();
  }
  const Index written = std::ssize(std::invoke(tokens, *std::begin(texts)));
  const Index count = length() > 0 ? 1 : written <= most ? written : window_after_slide(most);
  IndexTensor last(Shape{std::ssize(texts), count});
  std::int32_t* to = last.data();
  for (const auto& text : texts) {
    const auto& all = std::invoke(tokens, text);
    to = std::copy(all.end() - count, all.end(), to);
  }
  return step(last);
}

/// @}

}  // namespace gradus

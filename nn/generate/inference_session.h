/// @file
/// An inference session for a GPT, which reads each token only once, with a kv cache.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include "nn/models/gpt.h"

namespace gradus {

/// @addtogroup generate
/// @{

/// Reads a batch of rows token by token and returns the logits of the next token. The B rows have
/// the same length, and each step reads the weights once for all rows.
///
/// The logits equal the model's logits for all tokens read so far, except for rounding. With up to
/// kFewRows rows, the bits of a row's logits do not depend on the other rows in the batch. The kv
/// cache is allocated at the start, for n_positions tokens. After n_positions tokens have been read
/// one by one, reading more after clear() requests no memory from the system. The session refers to
/// the model, which must outlive the session and must not change meanwhile. Copies of a session are
/// independent. A model with RotaryScaling::kDynamic changes all keys with each token beyond its
/// trained length: there the session reads all tokens again for each new one.
/// @code
/// const Gpt model({.vocab_size = 9, .n_layer = 1, .n_head = 2, .n_embd = 16});
/// InferenceSession session(model);
/// session.step(indices({{5, 2, 7}})).shape();  // [1, 9]
/// session.step(indices({{1}}));                // reads only the fourth token
/// session.length();                            // 4
/// @endcode
class InferenceSession {
 public:
  /// Starts a batch of B rows, with nothing read yet.
  /// @throws std::invalid_argument if B is below 1.
  explicit InferenceSession(const Gpt& model, Index batch_size = 1);

  /// B, the number of rows.
  Index batch_size() const { return caches_.front().attention.keys.size(0); }
  /// The number of tokens read so far in each row.
  Index length() const { return caches_.front().attention.length; }

  /// Reads T more tokens of each row, [B, T], and returns the logits after the last of them, [B,
  /// V].
  /// @throws std::invalid_argument if the number of rows differs, T is 0, there would be more than
  /// n_positions tokens, or a token is not in the vocabulary; then no token was read.
  Tensor step(const IndexTensor& tokens);

  /// Clears the cache.
  void clear();

  /// Continues with rows that have all grown by one token and have the same length, and returns the
  /// logits [B, V]. The first call reads whole rows. When the window of n_positions tokens is full,
  /// or the rows are longer than the window at the start, reading begins again with the last
  /// window_after_slide() tokens. `tokens(row)` returns the tokens of a row.
  template <class Rows, class Tokens = std::identity>
  Tensor read_on(const Rows& rows, Tokens tokens = {});

  /// Returns a session whose rows 0, 1, ... are rows rows[0], rows[1], ... of this one. A row may
  /// occur several times or not at all.
  /// @throws std::invalid_argument if `rows` is empty or names a row outside the batch.
  InferenceSession of_rows(const IndexTensor& rows) const;

 private:
  const Gpt* model_;
  std::vector<BlockCache> caches_;  // one per layer
  IndexTensor read_;                // [B, length], only with kDynamic
};

/// Returns how many tokens remain when a text becomes longer than the window: three quarters of
/// n_positions, rounded up.
Index window_after_slide(Index n_positions);

template <class Rows, class Tokens>
Tensor InferenceSession::read_on(const Rows& rows, Tokens tokens) {
  const Index most = model_->config.n_positions;
  if (length() == most) {
    clear();
  }
  const Index written = std::ssize(std::invoke(tokens, *std::begin(rows)));
  const Index count = length() > 0 ? 1 : written <= most ? written : window_after_slide(most);
  IndexTensor last(Shape{std::ssize(rows), count});
  std::int32_t* to = last.mutable_data();
  for (const auto& row : rows) {
    const auto& all = std::invoke(tokens, row);
    to = std::copy(all.end() - count, all.end(), to);
  }
  return step(last);
}

/// @}

}  // namespace gradus

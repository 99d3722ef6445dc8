/// @file
/// BERT's masking: which tokens to predict, and what to replace them with.
#pragma once

#include <cstdint>
#include <vector>

#include "autograd/index_tensor.h"
#include "autograd/kernels/philox.h"

namespace gradus {

/// @addtogroup data
/// @{

/// How to choose and replace tokens.
/// @code
/// const Masking masking{.words = {1, 2, 3}, .mask = 7};
/// const auto [inputs, targets] = mask_words(indices({{1, 2, 3, 2}}), masking, {1, 0, 0});
/// inputs;   // [[1, 2, 7, 2]]
/// targets;  // [[-100, -100, 3, -100]]
/// @endcode
struct Masking {
  std::vector<std::int32_t> words;  ///< the tokens that may be masked or drawn, in ascending order
  std::int32_t mask = 0;            ///< [MASK]
  double chosen = 0.15;             ///< the fraction of positions to predict
  double masked = 0.8;              ///< the fraction of those that become [MASK]
  double random = 0.1;              ///< those that become a random word; the rest stay

  /// @throws std::invalid_argument unless all fractions are in [0, 1], masked + random too, and
  /// there are words, ascending and not negative.
  void validate() const;
};

/// The input of a masked language model, and its targets.
struct MaskedWords {
  IndexTensor inputs;   ///< [B, T], some tokens replaced
  IndexTensor targets;  ///< [B, T], the tokens at the chosen positions; kIgnoreIndex elsewhere
};

/// Chooses positions and replaces their tokens (Devlin and others, 2019). Each position that holds
/// a word is chosen with probability 15%. Of the chosen ones, 80% become [MASK], 10% a random word,
/// and 10% stay. So the model cannot tell from the input which positions it must predict, and must
/// keep a vector of every word, not of [MASK] alone.
///
/// Tokens not in Masking::words are never chosen and never inserted: [CLS], [SEP], padding, unknown
/// words. If no position of a row is chosen, one of its words is drawn, so that no loss is empty:
/// of a row of n words, \f$ 0.15\,n + 0.85^n \f$ are chosen on average, which is 15.03% for 30
/// words. In a row without words, none is.
///
/// A function of its arguments: the same key chooses the same positions in tokens of the same
/// shape.
/// @throws std::invalid_argument unless the tokens are [B, T] and the masking is valid.
MaskedWords mask_words(const IndexTensor& tokens, const Masking& masking, const RandomKey& key);

/// @}

}  // namespace gradus

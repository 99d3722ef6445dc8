/// @file
/// BERT's masking: chooses tokens to predict and replaces them.
#pragma once

#include <cstdint>
#include <vector>

#include "autograd/index_tensor.h"
#include "autograd/kernels/philox.h"

namespace gradus {

/// @addtogroup data
/// @{

/// The settings of mask_words().
/// @code
/// const Masking masking{.words = {1, 2, 3}, .mask = 7};
/// const auto [inputs, targets] = mask_words(indices({{1, 2, 3, 2}}), masking, {1, 0, 0});
/// inputs;   // [[1, 2, 7, 2]]
/// targets;  // [[-100, -100, 3, -100]]
/// @endcode
struct Masking {
  std::vector<std::int32_t> words;  ///< tokens that may be masked or drawn, in ascending order
  std::int32_t mask = 0;            ///< the token [MASK]
  double chosen = 0.15;             ///< the fraction of positions to predict
  double masked = 0.8;              ///< the fraction of chosen positions that become [MASK]
  double random = 0.1;              ///< the fraction that become a random word; the rest stay

  /// Checks the settings.
  /// @throws std::invalid_argument unless all fractions and masked + random are in [0, 1], and
  /// `words` is not empty, ascending and not negative.
  void validate() const;
};

/// The input of a masked language model, and its targets.
struct MaskedWords {
  IndexTensor inputs;   ///< [B, T], some tokens replaced
  IndexTensor targets;  ///< [B, T], the tokens at the chosen positions; kIgnoreIndex elsewhere
};

/// Chooses positions and replaces their tokens (Devlin and others, 2019). By default, each position
/// with a word is chosen with probability 15%. Of the chosen positions, 80% become [MASK], 10%
/// become a random word, and 10% stay. The input therefore does not show which positions must be
/// predicted, and the model must compute a useful vector for every word, not only for [MASK].
///
/// Tokens that are not in Masking::words, such as [CLS], [SEP], padding and unknown words, are
/// never chosen and never inserted. If no position of a row is chosen, one of its words is drawn,
/// so that no loss is empty. In a row of n words, \f$ 0.15\,n + 0.85^n \f$ words are chosen on
/// average, which is 15.03% for 30 words. In a row without words, no word is chosen.
///
/// The result depends only on the arguments: the same key draws the same numbers for tokens of the
/// same shape.
/// @throws std::invalid_argument unless the tokens are [B, T] and the masking is valid.
MaskedWords mask_words(const IndexTensor& tokens, const Masking& masking, const RandomKey& key);

/// @}

}  // namespace gradus

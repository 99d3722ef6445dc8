/// @file
/// Words to guess: the masking that BERT learns from.
#pragma once

#include <cstdint>
#include <vector>

#include "autograd/index_tensor.h"
#include "autograd/kernels/philox.h"

namespace gradus {

/// @addtogroup data
/// @{

/// Which tokens are masked, and what takes their place.
struct Masking {
  std::vector<std::int32_t> words;  ///< the tokens that may be masked or drawn, in ascending order
  std::int32_t mask = 0;            ///< [MASK]
  double chosen = 0.15;             ///< the share of places to guess
  double masked = 0.8;              ///< the share of those that become [MASK]
  double random = 0.1;              ///< the share of those that become any word; the rest stay

  /// @throws std::invalid_argument unless all shares are in [0, 1], masked + random too, and the
  /// words are there, in ascending order and not negative.
  void validate() const;
};

/// What a masked language model reads, and what it is to find.
struct MaskedWords {
  IndexTensor inputs;   ///< [B, T], some tokens replaced
  IndexTensor targets;  ///< [B, T], the tokens that were at the chosen places; -100 elsewhere
};

/// Chooses places and replaces their tokens (Devlin and others, 2019): each place of a word is
/// chosen with probability 15%; of the chosen ones, 80% become [MASK], 10% a word drawn from all,
/// and 10% stay as they are, so that the model cannot tell from the input where it will be asked,
/// and keeps a vector of each word and not of [MASK] alone.
///
/// Tokens that are none of Masking::words are never chosen and never put in: [CLS], [SEP], padding,
/// unknown words. Where chance chooses no place of a row, one is drawn from its words, so that no
/// loss is empty: a row of n words has 0.15 n + 0.85^n of them chosen in the mean, which for 30
/// words is 15.03%. A row without words has none.
///
///     Masking masking{.words = {0, 1, 2, 3}, .mask = 7};
///     auto [inputs, targets] = mask_words(tokens, masking, key);
///
/// A function of its arguments: the same key chooses the same places of tokens of the same shape.
/// @throws std::invalid_argument unless the tokens are [B, T] and the masking makes sense.
MaskedWords mask_words(const IndexTensor& tokens, const Masking& masking, const RandomKey& key);

/// @}

}  // namespace gradus

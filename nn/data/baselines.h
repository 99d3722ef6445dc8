/// @file
/// What a model must beat to have learnt anything: a classifier that sees words without their
/// order, and guesses of a masked token by frequency.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "autograd/index_tensor.h"
#include "nn/data/labelled.h"
#include "nn/layers/layers.h"

namespace gradus {

/// @addtogroup data
/// @{

/// How BagOfWords is trained: AdamW on all texts at once, without decay.
struct BagOfWordsOptions {
  int steps = 300;              ///< of training
  Scalar learning_rate = 0.05;  ///< of AdamW
};

/// Logistic regression on which words a text has: logits = x W + b, where x is 1 for each word (in
/// small letters) of the vocabulary that stands in the text, and 0 for the others. Words that
/// training never saw count for nothing. Order counts for nothing at all.
///
///     auto [train, held_out] = divide(set.items, &LabelledText::text, 0.1, seed);
///     BagOfWords(train, set.labels.size()).accuracy(held_out);
class BagOfWords {
 public:
  /// Trains on these texts; starts from zero, so that the result needs no seed.
  /// @throws std::invalid_argument if there are none, or a label is outside [0, classes)
  BagOfWords(std::span<const LabelledText> train, std::size_t classes,
             const BagOfWordsOptions& options = {});

  /// The likeliest class, the first of equals.
  int predict(const std::string& text) const;

  /// The share of items whose label predict() gives; 0 for none.
  double accuracy(std::span<const LabelledText> items) const;

  /// The number of different words that training saw.
  std::size_t words() const { return words_.size(); }

 private:
  Tensor features(std::span<const LabelledText> items) const;  // [N, V]

  std::unordered_map<std::string, Index> words_;
  Linear linear_;
};

/// Guesses a token from those beside it, by counts of what stood next to what.
///
/// With c(a, b) the number of times that b stood right after a, the guess between l and r is the v
/// with the largest c(l, v) c(v, r) / c(v), which is the likeliest one if each token depends on the
/// one before it alone (a chain of first order). If no v has both neighbours, it backs off to the
/// largest c(l, v), then to the largest c(v, r), then to the most frequent token. The lowest of
/// equals.
class NeighbourGuess {
 public:
  /// In place of a neighbour that there is not, or that is masked itself.
  static constexpr std::int32_t kUnknown = -1;

  /// Counts one more sequence.
  /// @throws std::invalid_argument for a negative token
  void observe(std::span<const std::int32_t> tokens);

  /// The most frequent token.
  /// @throws std::invalid_argument if nothing was observed
  std::int32_t unigram() const;

  /// The guess between two neighbours, either of them kUnknown or any token.
  /// @throws std::invalid_argument if nothing was observed
  std::int32_t between(std::int32_t left, std::int32_t right) const;

 private:
  using Counts = std::map<std::int32_t, Index>;
  Counts count_;                                     // c(v)
  std::unordered_map<std::int32_t, Counts> after_;   // after_[l][v] = c(l, v)
  std::unordered_map<std::int32_t, Counts> before_;  // before_[r][v] = c(v, r)
};

/// How often guesses are right where a masked language model is asked.
struct MaskedAccuracy {
  double unigram = 0;  ///< share of places where the most frequent token is right
  double bigram = 0;   ///< share of places where NeighbourGuess::between() is
  Index places = 0;    ///< how many were asked
};

/// Both guesses at the places where labels are not `ignore_index`, from inputs [B, T] as the model
/// reads them: a neighbour that is `mask_token` counts as unknown, and so do those beyond a row.
/// @throws std::invalid_argument unless inputs and labels have one shape [B, T]
MaskedAccuracy masked_accuracy(const NeighbourGuess& guess, const IndexTensor& inputs,
                               const IndexTensor& labels, std::int32_t mask_token,
                               std::int32_t ignore_index = -100);

/// @}

}  // namespace gradus

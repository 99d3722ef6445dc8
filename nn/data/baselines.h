/// @file
/// Baselines, which a model must beat to show that it has learned something: a classifier that
/// ignores the order of words, and predictions of masked tokens from frequencies.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "autograd/index_tensor.h"
#include "autograd/ops/cross_entropy.h"
#include "nn/data/items.h"
#include "nn/layers/layers.h"

namespace gradus {

/// @addtogroup data
/// @{

/// The settings for training BagOfWords: each step of AdamW uses all texts, without weight decay.
struct BagOfWordsOptions {
  int steps = 300;              ///< the number of training steps
  Scalar learning_rate = 0.05;  ///< AdamW's learning rate
};

/// Logistic regression on the set of words in a text: logits = x W + b, where x is 1 for each word
/// of the vocabulary (lower-cased) that occurs in the text, and 0 for the others. The order of
/// words and words that are not in the training texts have no effect.
/// @code
/// const std::vector<LabelledText> train = {{"a bad film", 0}, {"a good film", 1}};
/// const BagOfWords bag(train, 2);
/// bag.words();                              // 4
/// bag.predict("Good, if a little long.");  // 1
/// @endcode
class BagOfWords {
 public:
  /// Trains on these texts. The weights start as 0, so that there is no seed.
  /// @throws std::invalid_argument if there are no texts, or a label is outside [0, classes)
  BagOfWords(std::span<const LabelledText> train, std::size_t classes,
             const BagOfWordsOptions& options = {});

  /// Returns the most probable class; of equally probable ones the first.
  int predict(const std::string& text) const;

  /// Returns the fraction of items whose label predict() returns; 0 if there are no items.
  double accuracy(std::span<const LabelledText> items) const;

  /// The number of different words in the training texts.
  std::size_t words() const { return words_.size(); }

 private:
  Tensor features(std::span<const LabelledText> items) const;  // [N, V]

  std::unordered_map<std::string, Index> words_;
  Linear linear_;
};

/// Predicts a token from its two neighbours, with counts of adjacent pairs.
///
/// c(a, b) is the number of times that b directly followed a, and c(v) the number of times that v
/// occurred. The prediction between l and r is the v with the largest c(l, v) c(v, r) / c(v). It is
/// the most probable token if each token depends only on the token before it (a first-order chain).
/// If no v has both neighbours, the prediction is the v with the largest c(l, v). If there is none,
/// it is the v with the largest c(v, r), and without that the most frequent token. Of equal counts
/// the lowest token wins.
/// @code
/// NeighbourPredictor neighbours;
/// neighbours.observe(std::vector{3, 1, 4, 1, 5});
/// neighbours.unigram();      // 1
/// neighbours.between(3, 4);  // 1
/// @endcode
class NeighbourPredictor {
 public:
  /// The value for a neighbour that does not exist or is masked.
  static constexpr std::int32_t kUnknown = -1;

  /// Counts the tokens and pairs of one more sequence.
  /// @throws std::invalid_argument for a negative token
  void observe(std::span<const std::int32_t> tokens);

  /// Returns the most frequent token.
  /// @throws std::invalid_argument if nothing was observed
  std::int32_t unigram() const;

  /// Returns the prediction between two neighbours. Each is kUnknown or any token.
  /// @throws std::invalid_argument if nothing was observed
  std::int32_t between(std::int32_t left, std::int32_t right) const;

 private:
  using Counts = std::map<std::int32_t, Index>;
  Counts count_;                                     // c(v)
  std::unordered_map<std::int32_t, Counts> after_;   // after_[l][v] = c(l, v)
  std::unordered_map<std::int32_t, Counts> before_;  // before_[r][v] = c(v, r)
};

/// The accuracy of both baselines at the positions that a masked language model predicts.
struct MaskedAccuracy {
  double unigram = 0;   ///< fraction of positions where the most frequent token is right
  double bigram = 0;    ///< fraction of positions where NeighbourPredictor::between() is right
  Index positions = 0;  ///< number of predicted positions
};

/// Compares both predictions with the labels [B, T], where they are not `ignore_index`. The
/// neighbours are from the model's inputs [B, T]; a neighbour that is `mask_token` or outside the
/// row is unknown.
/// @throws std::invalid_argument unless inputs and labels have one shape [B, T]
MaskedAccuracy masked_accuracy(const NeighbourPredictor& neighbours, const IndexTensor& inputs,
                               const IndexTensor& labels, std::int32_t mask_token,
                               std::int32_t ignore_index = kIgnoreIndex);

/// @}

}  // namespace gradus

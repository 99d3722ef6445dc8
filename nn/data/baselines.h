/// @file
/// Baselines that a model must beat to have learnt anything: a classifier that ignores the order of
/// words, and predictions of masked tokens by frequency.
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

/// How to train BagOfWords: AdamW on all texts at once, without weight decay.
struct BagOfWordsOptions {
  int steps = 300;              ///< of training
  Scalar learning_rate = 0.05;  ///< of AdamW
};

/// Logistic regression on which words occur in a text: logits = x W + b, where x is 1 for each word
/// of the vocabulary (lower-cased) that occurs in the text, and 0 for the others. Words that
/// training never saw are ignored, and so is order.
/// @code
/// const std::vector<LabelledText> train = {{"a bad film", 0}, {"a good film", 1}};
/// const BagOfWords bag(train, 2);
/// bag.words();                              // 4
/// bag.predict("Good, if a little long.");  // 1
/// @endcode
class BagOfWords {
 public:
  /// Trains on these texts; starts from zero, so the result needs no seed.
  /// @throws std::invalid_argument if there are none, or a label is outside [0, classes)
  BagOfWords(std::span<const LabelledText> train, std::size_t classes,
             const BagOfWordsOptions& options = {});

  /// The most probable class, the first of equals.
  int predict(const std::string& text) const;

  /// The fraction of items whose label predict() gives; 0 for none.
  double accuracy(std::span<const LabelledText> items) const;

  /// The number of different words that training saw.
  std::size_t words() const { return words_.size(); }

 private:
  Tensor features(std::span<const LabelledText> items) const;  // [N, V]

  std::unordered_map<std::string, Index> words_;
  Linear linear_;
};

/// Predicts a token from its two neighbours, by counts of adjacent pairs.
///
/// With c(a, b) the number of times that b directly followed a, the prediction between l and r is
/// the v with the largest c(l, v) c(v, r) / c(v): the most probable one if each token depends only
/// on the one before it (a first-order chain). If no v has both neighbours, it backs off to the
/// largest c(l, v), then the largest c(v, r), then the most frequent token. Ties go to the lowest
/// token.
/// @code
/// NeighbourPredictor neighbours;
/// neighbours.observe(std::vector{3, 1, 4, 1, 5});
/// neighbours.unigram();      // 1
/// neighbours.between(3, 4);  // 1
/// @endcode
class NeighbourPredictor {
 public:
  /// Stands for a neighbour that does not exist or is masked.
  static constexpr std::int32_t kUnknown = -1;

  /// Counts one more sequence.
  /// @throws std::invalid_argument for a negative token
  void observe(std::span<const std::int32_t> tokens);

  /// The most frequent token.
  /// @throws std::invalid_argument if nothing was observed
  std::int32_t unigram() const;

  /// The prediction between two neighbours, each of them kUnknown or any token.
  /// @throws std::invalid_argument if nothing was observed
  std::int32_t between(std::int32_t left, std::int32_t right) const;

 private:
  using Counts = std::map<std::int32_t, Index>;
  Counts count_;                                     // c(v)
  std::unordered_map<std::int32_t, Counts> after_;   // after_[l][v] = c(l, v)
  std::unordered_map<std::int32_t, Counts> before_;  // before_[r][v] = c(v, r)
};

/// How often the predictions are right at the positions that a masked language model predicts.
struct MaskedAccuracy {
  double unigram = 0;   ///< fraction of positions where the most frequent token is right
  double bigram = 0;    ///< fraction where NeighbourPredictor::between() is right
  Index positions = 0;  ///< how many positions were predicted
};

/// Both predictions at the positions where labels are not `ignore_index`, from inputs [B, T] as the
/// model reads them: a neighbour that is `mask_token` or outside the row is unknown.
/// @throws std::invalid_argument unless inputs and labels have one shape [B, T]
MaskedAccuracy masked_accuracy(const NeighbourPredictor& neighbours, const IndexTensor& inputs,
                               const IndexTensor& labels, std::int32_t mask_token,
                               std::int32_t ignore_index = kIgnoreIndex);

/// @}

}  // namespace gradus

/// @file
/// The answer of a classifier of texts or images.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// The most probable label and the probability of each.
struct Prediction {
  int label = 0;                      ///< the most probable, the first of equals
  std::vector<double> probabilities;  ///< one per label, in order; they sum to 1
};

/// Logits [B, labels] as predictions, one for each row: p = softmax(logits).
/// @code
/// as_predictions(tensor({{0, 0}}))[0].probabilities;  // [0.5, 0.5]
/// @endcode
/// @throws std::invalid_argument unless logits are [B, labels].
std::vector<Prediction> as_predictions(const Tensor& logits);

/// The share of predictions that are right.
/// @throws std::invalid_argument if there are none, or another number of labels.
double accuracy(std::span<const Prediction> predictions, std::span<const int> labels);

/// Checks that a folder has a name for each label of its model.
/// @throws std::runtime_error naming the folder if not.
void check_labels(const std::string& folder, const std::vector<std::string>& labels,
                  Index n_labels);

/// @}

}  // namespace gradus

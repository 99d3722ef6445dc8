#include "nn/tasks/prediction.h"

#include <stdexcept>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/index.h"
#include "autograd/ops/softmax.h"
#include "nn/module.h"

namespace gradus {
using namespace detail;

std::vector<Prediction> as_predictions(const Tensor& logits) {
  check(logits.rank() == 2 && logits.size(1) >= 1, "as_predictions: needs logits [B, labels], got ",
        logits.shape());
  require_numbers("the logits of the labels", logits);
  const NoGrad no_grad;
  const Tensor p = softmax(logits);
  const IndexTensor best = argmax(logits, 1);
  std::vector<Prediction> predictions;
  for (Index i = 0; i < p.size(0); ++i) {
    const Scalar* share = p.data() + i * p.size(1);
    predictions.push_back({best.data()[i], {share, share + p.size(1)}});
  }
  return predictions;
}

double accuracy(std::span<const Prediction> predictions, std::span<const int> labels) {
  check(!predictions.empty() && predictions.size() == labels.size(),
        "accuracy: needs a label for each of one prediction or more, got ", predictions.size(),
        " predictions and ", labels.size(), " labels");
  std::size_t right = 0;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    right += predictions[i].label == labels[i] ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(predictions.size());
}

void check_labels(const std::string& folder, const std::vector<std::string>& labels,
                  Index n_labels) {
  if (std::ssize(labels) != n_labels) {
    throw std::runtime_error(text(folder, "/config.json: names ", labels.size(),
                                  " \"labels\", but \"n_labels\" is ", n_labels,
                                  " (the file is damaged)"));
  }
}

}  // namespace gradus

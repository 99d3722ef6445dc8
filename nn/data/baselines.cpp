#include "nn/data/baselines.h"

#include <algorithm>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "nn/data/words.h"
#include "nn/optim/adamw.h"

namespace gradus {
using namespace detail;

BagOfWords::BagOfWords(std::span<const LabelledText> train, std::size_t classes,
                       const BagOfWordsOptions& options) {
  check(!train.empty(), "bag of words: needs at least one text to train on");
  IndexTensor labels({static_cast<Index>(train.size())});
  for (std::size_t i = 0; i < train.size(); ++i) {
    const int label = train[i].label;
    check(label >= 0 && static_cast<std::size_t>(label) < classes,
          "bag of words: labels must be in [0, ", classes, "), got ", label);
    labels.mutable_data()[i] = label;
    for (const std::string& word : split_words(train[i].text, Case::kLower)) {
      words_.emplace(word, static_cast<Index>(words_.size()));
    }
  }
  linear_.weight = zeros({static_cast<Index>(words_.size()), static_cast<Index>(classes)});
  linear_.bias = zeros({static_cast<Index>(classes)});
  set_requires_grad(linear_, true);
  const Tensor x = features(train);
  AdamW optimiser(parameters(linear_), {.learning_rate = options.learning_rate, .weight_decay = 0});
  for (int step = 0; step < options.steps; ++step) {
    optimiser.zero_grad();
    backward(cross_entropy(linear_(x), labels));
    optimiser.step();
  }
  set_requires_grad(linear_, false);
}

Tensor BagOfWords::features(std::span<const LabelledText> items) const {
  const auto width = static_cast<Index>(words_.size());
  const Tensor x = zeros({static_cast<Index>(items.size()), width});
  Scalar* row = x.mutable_data();
  for (const LabelledText& item : items) {
    for (const std::string& word : split_words(item.text, Case::kLower)) {
      const auto found = words_.find(word);
      if (found != words_.end()) row[found->second] = 1;
    }
    row += width;
  }
  return x;
}

int BagOfWords::predict(const std::string& text) const {
  const LabelledText item{text, 0};
  return *argmax(linear_(features({&item, 1}))).data();
}

double BagOfWords::accuracy(std::span<const LabelledText> items) const {
  if (items.empty()) return 0;
  const auto right = std::ranges::count_if(
      items, [&](const LabelledText& item) { return predict(item.text) == item.label; });
  return static_cast<double>(right) / static_cast<double>(items.size());
}

void NeighbourPredictor::observe(std::span<const std::int32_t> tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    check(tokens[i] >= 0, "neighbour predictor: tokens must not be negative, got ", tokens[i]);
    ++count_[tokens[i]];
    if (i == 0) continue;
    ++after_[tokens[i - 1]][tokens[i]];
    ++before_[tokens[i]][tokens[i - 1]];
  }
}

namespace {

/// The token with the largest count; of equal counts the lowest token.
template <class Counts>
std::int32_t most_frequent(const Counts& counts) {
  const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::max_element(counts.begin(), counts.end(), by_count)->first;
}

}  // namespace

std::int32_t NeighbourPredictor::unigram() const {
  check(!count_.empty(), "neighbour predictor: needs observed tokens (call observe() first)");
  return most_frequent(count_);
}

std::int32_t NeighbourPredictor::between(std::int32_t left, std::int32_t right) const {
  const auto after = after_.find(left), before = before_.find(right);
  if (after != after_.end() && before != before_.end()) {
    std::int32_t best = kUnknown;
    double best_score = 0;
    for (const auto& [token, from_left] : after->second) {
      const auto to_right = before->second.find(token);
      if (to_right == before->second.end()) continue;
      const double score = static_cast<double>(from_left) * static_cast<double>(to_right->second) /
                           static_cast<double>(count_.at(token));
      if (score > best_score) {
        best = token;
        best_score = score;
      }
    }
    if (best != kUnknown) return best;
  }
  if (after != after_.end()) return most_frequent(after->second);
  if (before != before_.end()) return most_frequent(before->second);
  return unigram();
}

MaskedAccuracy masked_accuracy(const NeighbourPredictor& neighbours, const IndexTensor& inputs,
                               const IndexTensor& labels, std::int32_t mask_token,
                               std::int32_t ignore_index) {
  check(inputs.rank() == 2 && inputs.shape() == labels.shape(),
        "masked_accuracy: inputs and labels must both be [B, T], got ", inputs.shape(), " and ",
        labels.shape());
  const Index length = inputs.size(1);
  const std::int32_t most = neighbours.unigram();
  Index by_unigram = 0, by_bigram = 0, positions = 0;
  for (Index i = 0; i < inputs.size(); ++i) {
    const std::int32_t label = labels.data()[i];
    if (label == ignore_index) continue;
    const auto neighbour = [&](Index at, bool inside) {
      const std::int32_t token = inside ? inputs.data()[at] : mask_token;
      return token == mask_token ? NeighbourPredictor::kUnknown : token;
    };
    const std::int32_t left = neighbour(i - 1, i % length > 0);
    const std::int32_t right = neighbour(i + 1, i % length < length - 1);
    ++positions;
    by_unigram += label == most;
    by_bigram += label == neighbours.between(left, right);
  }
  const double n = static_cast<double>(std::max<Index>(positions, 1));
  return {static_cast<double>(by_unigram) / n, static_cast<double>(by_bigram) / n, positions};
}

}  // namespace gradus

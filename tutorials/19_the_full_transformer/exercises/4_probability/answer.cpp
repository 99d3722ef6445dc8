#include "tutorials/19_the_full_transformer/exercises.h"

std::vector<double> my_log_probabilities(const Transformer& model, const IndexTensor& src,
                                         const IndexTensor& targets, const WriteLimits& limits,
                                         std::int32_t padding) {
  const NoGrad no_grad;
  const Index rows = targets.size(0), length = targets.size(1);
  Tokens inputs, asked;
  for (Index b = 0; b < rows; ++b) {
    const auto* row = targets.data() + b * length;
    const Index n = std::find(row, row + length, padding) - row;
    inputs.push_back(limits.begin);
    inputs.insert(inputs.end(), row, row + length);
    asked.insert(asked.end(), row, row + n);
    asked.push_back(limits.end);
    asked.insert(asked.end(), length - n, -1);
  }
  const IndexTensor trg({rows, length + 1}, inputs);
  const Tensor log_p = log_softmax(model(src, trg, padding_mask(src, padding)));
  std::vector<double> sums(rows);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i] < 0) continue;
    sums[i / (length + 1)] += log_p.data()[Index(i) * log_p.size(-1) + asked[i]];
  }
  return sums;
}

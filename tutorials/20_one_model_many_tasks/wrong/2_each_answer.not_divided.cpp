// rejected: divide by the number of rows
#include "tutorials/20_one_model_many_tasks/exercises.h"

Tensor loss_of_answers(const Tensor& logits, const IndexTensor& targets) {
  const Index length = targets.size(1);
  Tensor total = scalar(0);
  Scalar rows = 0;
  for (Index b = 0; b < targets.size(0); ++b) {
    const Tokens row(targets.begin() + b * length, targets.begin() + (b + 1) * length);
    if (std::count(row.begin(), row.end(), -100) == length) continue;
    total = total + cross_entropy(slice(logits, 0, b, b + 1), IndexTensor({1, length}, row));
    ++rows;
  }
  return total + 0 * rows;
}

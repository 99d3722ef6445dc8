// rejected: exp() of such a number is infinite
#include "tutorials/20_one_model_many_tasks/exercises.h"

Tensor loss_of_answers(const Tensor& logits, const IndexTensor& targets) {
  Tensor total = scalar(0);
  Scalar rows = 0;
  const Tensor e = exp(logits), p = e / sum(e, -1, {.keepdim = true});
  const Index length = targets.size(1), vocab = logits.size(2);
  for (Index b = 0; b < targets.size(0); ++b) {
    Tensor chosen({length, vocab});
    Scalar asked = 0;
    for (Index t = 0; t < length; ++t) {
      const std::int32_t target = targets.data()[b * length + t];
      if (target < 0) continue;
      chosen.mutable_data()[t * vocab + target] = 1;
      ++asked;
    }
    if (asked == 0) continue;
    total = total - sum(log(slice(p, 0, b, b + 1)) * chosen) / asked;
    ++rows;
  }
  return total / rows;
}

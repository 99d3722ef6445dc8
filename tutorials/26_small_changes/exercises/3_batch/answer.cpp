#include "tutorials/26_small_changes/exercises.h"

Tensor in_one_batch(const Tensor& x, const Tensor& weight, const std::vector<LowRank>& pairs,
                    const std::vector<Index>& which) {
  const Tensor y = matmul(x, weight);
  std::vector<Tensor> added;
  for (Index b = 0; b < x.size(0); ++b) {
    if (which[b] < 0) {
      added.push_back(zeros({1, y.size(1), y.size(2)}));
      continue;
    }
    const LowRank& pair = pairs[which[b]];
    const Tensor row = slice(x, 0, b, b + 1);
    added.push_back(matmul(matmul(row, pair.a), pair.b) * pair.scale);
  }
  return y + concat(added, 0);
}

// Exercise 26.3: Many adapters in one batch
#include "tutorials/26_small_changes/exercises.h"

Tensor in_one_batch(const Tensor& x, const Tensor& weight, const std::vector<LowRank>& pairs,
                    const std::vector<Index>& which) {
  return matmul(x, weight);
}

// rejected: a float is a little less, and was cut off
#include "tutorials/23_several_machines/exercises.h"

void my_average_by_targets(Ranks& ranks, std::vector<Tensor> gradients, Index targets) {
  Tensor n = scalar(Scalar(targets));
  average(ranks, {n}, sum_in_order);
  const Index total = Index(n.item() * Scalar(ranks.size));
  if (total == 0) return;
  for (Tensor& x : gradients) {
    for (Scalar* g = x.mutable_data(); g != x.end(); ++g) {
      *g *= Scalar(targets) * Scalar(ranks.size) / Scalar(total);
    }
  }
  average(ranks, gradients, sum_in_order);
}

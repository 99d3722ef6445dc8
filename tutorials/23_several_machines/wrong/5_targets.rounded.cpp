// rejected: the mean number of targets need not be whole
#include "tutorials/23_several_machines/exercises.h"

void my_average_by_targets(Ranks& ranks, std::vector<Tensor> gradients, Index targets) {
  Tensor count = scalar(Scalar(targets));
  average(ranks, {count}, sum_in_order);
  const Scalar mean = std::round(count.item());
  for (Tensor& x : gradients) {
    for (Scalar* g = x.mutable_data(); g != x.end(); ++g) {
      if (mean > 0) *g *= Scalar(targets) / mean;
    }
  }
  average(ranks, gradients, sum_in_order);
}

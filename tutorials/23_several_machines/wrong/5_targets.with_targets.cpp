// rejected: this is the mean over ranks: their shares differ
#include "tutorials/23_several_machines/exercises.h"

void my_average_by_targets(Ranks& ranks, std::vector<Tensor> gradients, Index targets) {
  Tensor count = scalar(Scalar(targets > 0));
  average(ranks, {count}, sum_in_order);
  average(ranks, gradients, sum_in_order);
  for (Tensor& x : gradients) {
    for (Scalar* g = x.mutable_data(); g != x.end(); ++g) {
      if (count.item() > 0) *g /= count.item();
    }
  }
}

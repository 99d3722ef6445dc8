// rejected: write into the tensors that you were given
#include "tutorials/23_several_machines/exercises.h"

void my_average_by_targets(Ranks& ranks, std::vector<Tensor> gradients, Index targets) {
  Tensor count = scalar(Scalar(targets));
  average(ranks, {count}, sum_in_order);
  for (Tensor& x : gradients) {
    if (count.item() > 0) x = x * (Scalar(targets) / count.item());
  }
  average(ranks, gradients, sum_in_order);
}

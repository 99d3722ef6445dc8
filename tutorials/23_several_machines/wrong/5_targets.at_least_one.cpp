// rejected: the mean number of targets lies between 0 and 1 here
#include "tutorials/23_several_machines/exercises.h"

void my_average_by_targets(Ranks& ranks, std::vector<Tensor> gradients, Index targets) {
  Tensor count = scalar(Scalar(targets));
  average(ranks, {count}, sum_in_order);
  const Scalar share = Scalar(targets) / std::max<Scalar>(1, count.item());
  for (Tensor& x : gradients) {
    for (Scalar* g = x.mutable_data(); g != x.end(); ++g) *g *= share;
  }
  average(ranks, gradients, sum_in_order);
}

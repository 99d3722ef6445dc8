// rejected: divide by the number of all targets
#include "tutorials/23_several_machines/exercises.h"

void my_average_by_targets(Ranks& ranks, std::vector<Tensor> gradients, Index targets) {
  for (Tensor& x : gradients) {
    for (Scalar* g = x.mutable_data(); g != x.end(); ++g) *g *= Scalar(targets);
  }
  average(ranks, gradients, sum_in_order);
}

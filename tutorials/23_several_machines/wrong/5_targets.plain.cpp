// rejected: this is the mean over ranks
#include "tutorials/23_several_machines/exercises.h"

void my_average_by_targets(Ranks& ranks, std::vector<Tensor> gradients, Index targets) {
  (void)targets;
  average(ranks, gradients, sum_in_order);
}

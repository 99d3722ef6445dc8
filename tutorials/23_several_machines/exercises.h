/// @file
/// Declarations for the variations of chapter 23, on pocket.
#pragma once

#include "tutorials/pocket/ranks.h"

using namespace pocket;

void my_sum_by_doubling(Ranks& ranks, std::span<Scalar> numbers);
void my_average_by_targets(Ranks& ranks, std::vector<Tensor> gradients, Index targets);

struct TurningPoint {
  int ring, through_rank_0;
};
TurningPoint my_turning_point(double compute, double bytes, double bandwidth, double latency);

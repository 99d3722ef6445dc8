/// @file
/// What the variations of chapter 09 ask for, and pocket as the chapter leaves it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tutorials/pocket/attention.h"

using namespace pocket;

/// Queries and keys, [4, 4] each.
struct QueriesAndKeys {
  Tensor queries, keys;
};

QueriesAndKeys copy_the_previous();

/// Attention of one query that has seen some of its keys.
struct Running {
  Scalar largest = -INFINITY;  // of the scores so far
  Scalar total = 0;            // of e^(score - largest)
  std::vector<Scalar> sum;     // of e^(score - largest) times each value; begins as zeros
};

void see(Running& running, Scalar score, const std::vector<Scalar>& value);
std::vector<Scalar> answer(const Running& running);

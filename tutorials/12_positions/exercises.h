/// @file
/// What the exercises of chapter 12 ask for, and the ops that they may use.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "autograd/more/random.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"

using namespace gradus;

/// Two texts of six tokens each.
struct TwoTexts {
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> second;
};

TwoTexts which_came_first();
Tensor my_sinusoids(Index places, Index channels);
Tensor my_shift(Index distance, Index channels);
Tensor my_turned_scores(const Tensor& q, const Tensor& k);

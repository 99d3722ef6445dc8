/// @file
/// What the exercises of chapter 10 ask for, and the ops that they may use.
#pragma once

#include <cmath>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "nn/layers/layers.h"

using namespace gradus;

/// The four maps of an attention.
struct Maps {
  Linear query, key, value, output;
};

Tensor my_split_heads(const Tensor& x, Index heads);
Index my_parameter_count(Index channels, Index heads, Index key_dim, Index value_dim, bool bias);
Tensor my_cross_attention(const Maps& maps, Index heads, const Tensor& target,
                          const Tensor& source);

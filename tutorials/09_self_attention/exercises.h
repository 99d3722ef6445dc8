/// @file
/// What the exercises of chapter 09 ask for, and the ops that they may use.
#pragma once

#include <algorithm>
#include <cmath>

#include "autograd/more/random.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"

using namespace gradus;

/// Queries and keys, [4, 4] each.
struct QueriesAndKeys {
  Tensor queries;
  Tensor keys;
};

QueriesAndKeys copy_the_previous();
Tensor my_attention(const Tensor& q, const Tensor& k, const Tensor& v, Index channels);
Tensor causal_attention(const Tensor& q, const Tensor& k, const Tensor& v);

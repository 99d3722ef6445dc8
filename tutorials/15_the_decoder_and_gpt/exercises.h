/// @file
/// What the exercises of chapter 15 ask for, and the ops that they may use.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "autograd/index_tensor.h"
#include "autograd/more/functions.h"
#include "autograd/more/random.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"

using namespace gradus;

/// A row of tokens and, at each place, the token that comes next; [T] each.
struct Example {
  IndexTensor inputs;
  IndexTensor targets;
};

/// A language model: tokens [1, T] to logits [1, T, V].
using Model = std::function<Tensor(const IndexTensor&)>;

Example example_at(const std::vector<std::int32_t>& text, Index begin, Index time);
int which_leaks(const std::vector<Model>& models, Index vocabulary, Index time);
Tensor tied_gradient(const Tensor& table, const Tensor& map, const IndexTensor& tokens,
                     const IndexTensor& targets);

/// @file
/// What the exercises of chapter 07 ask for, and the ops that they may use.
#pragma once

#include <cmath>
#include <vector>

#include "autograd/index_tensor.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"

using namespace gradus;

double loss_at_the_start(int vocabulary);
double perplexity(const std::vector<double>& probabilities);
Tensor my_log_softmax(const Tensor& x);
Tensor logits_gradient(const Tensor& logits, const IndexTensor& targets);
Tensor table_gradient(const Tensor& table, const IndexTensor& inputs, const IndexTensor& targets);

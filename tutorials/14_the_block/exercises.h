/// @file
/// What the exercises of chapter 14 ask for, and the ops that they may use.
#pragma once

#include <cmath>
#include <functional>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

using namespace gradus;

using Function = std::function<Tensor(const Tensor&)>;

Tensor my_pre_norm(const Tensor& x, const Function& norm, const Function& branch);
double my_gelu(double x);
double my_gelu_tanh(double x);
Tensor my_layer_norm_gradient(const Tensor& x, const Tensor& dy);

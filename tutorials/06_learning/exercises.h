/// @file
/// What the exercises of chapter 06 ask for.
#pragma once

#include <functional>
#include <vector>

#include "tutorials/pocket/learn.h"

using Scalars = std::vector<float>;

void my_nesterov(Scalars& w, const Scalars& gradient, Scalars& velocity, float learning_rate,
                 float momentum);
void my_gradients(const std::vector<pocket::Tensor>& pieces,
                  const std::function<pocket::Tensor(const pocket::Tensor& x)>& mean_loss);
pocket::TrainOptions my_options();

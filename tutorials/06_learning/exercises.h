/// @file
/// Declarations for the exercises of chapter 06.
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

/// The functions that a loop with early stopping calls, and their intervals.
struct Watched {
  int steps;     ///< at most
  int every;     ///< steps from one look at the validation loss to the next
  int patience;  ///< looks in a row that may bring no smaller loss
  std::function<void(int step)> train_step;
  std::function<double()> validation_loss;
};
int my_early_stopping(std::vector<pocket::NamedTensor> parameters, const Watched& run);

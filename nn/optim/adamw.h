/// @file
/// AdamW.
#pragma once

#include "nn/optim/optimiser.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// The settings of AdamW; the defaults are nanoGPT's for characters.
struct AdamWOptions {
  double beta1 = 0.9;     ///< how much of the mean of gradients a step keeps
  double beta2 = 0.99;    ///< how much of the mean of their squares a step keeps
  double epsilon = 1e-8;  ///< added to the root, against division by zero
  double weight_decay =
      0.1;  ///< of parameters with two or more axes; biases and norms do not decay
};

/// Adam with decoupled weight decay: Kingma and Ba, "Adam", 2015; Loshchilov and Hutter, "Decoupled
/// weight decay regularization", 2019.
///
/// With gradient g at step t: m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2, and
/// w = w - rate (m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + epsilon) + weight_decay w).
/// Decay goes by the number of axes: matrices decay, vectors (biases and norms) do not.
class AdamW : public Optimiser {
 public:
  /// @throws std::invalid_argument if an option is out of range or a parameter is frozen.
  AdamW(std::vector<NamedTensor> parameters, const AdamWOptions& options);
  std::vector<NamedTensor> state() const override;

 protected:
  void update(std::size_t i, Index begin, Index end, Scalar learning_rate,
              Scalar gradient_scale) override;

 private:
  AdamWOptions options_;
  std::vector<Tensor> mean_;    // m
  std::vector<Tensor> square_;  // v
};

/// @}

}  // namespace gradus

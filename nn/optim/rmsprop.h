/// @file
/// RMSprop.
#pragma once

#include "nn/optim/optimiser.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// The settings of Rmsprop, with PyTorch's names and defaults.
struct RmspropOptions {
  double alpha = 0.99;    ///< how much of the mean of squares a step keeps
  double epsilon = 1e-8;  ///< added to the root, against division by zero
  double momentum = 0;    ///< how much of its velocity a step keeps; 0 for none
  bool centered = false;  ///< whether to divide by the deviation in place of the root mean square
};

/// Gradients divided by the root of their mean square: Hinton, Srivastava and Swersky, "Neural
/// networks for machine learning", lecture 6, 2012; as in PyTorch.
///
/// s = alpha s + (1 - alpha) g^2 and w = w - rate u with u = g / (sqrt(s) + epsilon). Centered
/// (Graves, 2013), with m = alpha m + (1 - alpha) g, the root is that of s - m^2. With momentum, v
/// = momentum v + u and w = w - rate v.
class Rmsprop final : public Optimiser {
 public:
  /// Keeps handles to these parameters.
  /// @throws std::invalid_argument if an option is out of range.
  explicit Rmsprop(std::vector<NamedTensor> parameters, const RmspropOptions& options = {});
  std::vector<NamedTensor> state() const override;

 protected:
  void update(std::size_t i, Index begin, Index end, Scalar learning_rate,
              Scalar gradient_scale) override;

 private:
  RmspropOptions options_;
  std::vector<Tensor> square_;    // s
  std::vector<Tensor> mean_;      // m, none unless centered
  std::vector<Tensor> velocity_;  // v, none without momentum
};

/// @}

}  // namespace gradus

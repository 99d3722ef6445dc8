/// @file
/// Stochastic gradient descent.
#pragma once

#include "nn/optim/optimiser.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// The settings of Sgd.
struct SgdOptions {
  double momentum = 0;  ///< how much of its velocity a step keeps; 0 for none
};

/// Gradient descent with momentum (Polyak, 1964), as in PyTorch: v = momentum v + g, w = w - rate
/// v. Without momentum nothing is remembered.
class Sgd final : public Optimiser {
 public:
  /// Keeps handles to these parameters.
  explicit Sgd(std::vector<NamedTensor> parameters, const SgdOptions& options = {});
  std::vector<NamedTensor> state() const override;

 protected:
  void update(std::size_t i, Index begin, Index end, Scalar learning_rate,
              Scalar gradient_scale) override;

 private:
  SgdOptions options_;
  std::vector<Tensor> velocity_;  // none without momentum
};

/// @}

}  // namespace gradus

/// @file
/// Stochastic gradient descent.
#pragma once

#include "nn/optim/optimiser.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// The settings of Sgd.
struct SgdOptions {
  std::optional<double> learning_rate = {};  ///< of a step() that is given none
  double momentum = 0;    ///< the fraction of its velocity that a step keeps; 0 for none
  bool nesterov = false;  ///< whether a step looks ahead along the velocity; needs momentum
};

/// Gradient descent with momentum \f$ \beta \f$ (Polyak, 1964), as in PyTorch. With gradient g and
/// learning rate \f$ \eta \f$:
/// \f[ v \leftarrow \beta v + g, \qquad w \leftarrow w - \eta v \f]
/// With Nesterov's (1983), in the form of Sutskever and others, 2013, the new v gives
/// \f$ w \leftarrow w - \eta\,(g + \beta v) \f$. Without momentum there is no state.
/// @code
/// Tensor w = tensor({1, 2}).set_requires_grad();
/// Sgd optimiser({{"w", w}}, {.learning_rate = 0.1, .momentum = 0.9});
/// backward(sum(w * w));
/// optimiser.step();
/// w;  // [0.8, 1.6]
/// @endcode
class Sgd final : public Optimiser {
 public:
  /// Keeps handles to these parameters.
  /// @throws std::invalid_argument if momentum is not in [0, 1), or 0 with nesterov.
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

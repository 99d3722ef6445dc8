/// @file
/// Stochastic gradient descent.
#pragma once

#include "nn/optim/optimiser.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// The settings of Sgd.
struct SgdOptions {
  std::optional<double> learning_rate = {};  ///< \f$ \eta \f$ of step() without a rate
  double momentum = 0;    ///< \f$ \beta \f$, the fraction of v that a step keeps; 0: no momentum
  bool nesterov = false;  ///< whether a step looks ahead along v; needs momentum
};

/// Stochastic gradient descent with momentum \f$ \beta \f$ (Polyak, 1964), as in PyTorch. With
/// gradient g, learning rate \f$ \eta \f$ and velocity v, a step is
/// \f[ v \leftarrow \beta v + g, \qquad w \leftarrow w - \eta v \f]
/// With Nesterov's momentum (1983), in the form of Sutskever and others, 2013, the second part is
/// \f$ w \leftarrow w - \eta\,(g + \beta v) \f$ with the new v. Without momentum there is no state.
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
  /// @throws std::invalid_argument if momentum is not in [0, 1) or is 0 with nesterov, or if a
  /// parameter is frozen.
  explicit Sgd(std::vector<NamedTensor> parameters, const SgdOptions& options = {});
  std::vector<NamedTensor> state() const override;

 protected:
  void update(std::size_t i, Index begin, Index end, Scalar learning_rate,
              Scalar gradient_scale) override;

 private:
  SgdOptions options_;
  std::vector<Tensor> velocity_;  // empty without momentum
};

/// @}

}  // namespace gradus

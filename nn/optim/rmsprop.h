/// @file
/// RMSprop.
#pragma once

#include "nn/optim/optimiser.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// The settings of Rmsprop, with PyTorch's names and defaults.
struct RmspropOptions {
  std::optional<double> learning_rate = {};  ///< \f$ \eta \f$ of step() without a rate
  double alpha = 0.99;    ///< \f$ \alpha \f$, the fraction of the mean square that a step keeps
  double epsilon = 1e-8;  ///< \f$ \varepsilon \f$, against division by zero
};

/// RMSprop: divides gradients by the root of their mean square, as in PyTorch. Hinton, Srivastava
/// and Swersky, "Neural networks for machine learning", lecture 6, 2012.
///
/// With gradient g and learning rate \f$ \eta \f$, a step is
/// \f[ s \leftarrow \alpha s + (1 - \alpha)\,g^2, \qquad
/// w \leftarrow w - \eta\,\frac{g}{\sqrt s + \varepsilon} \f]
/// @code
/// Tensor w = tensor({1, 2}).set_requires_grad();
/// Rmsprop optimiser({{"w", w}}, {.learning_rate = 0.01});
/// backward(sum(w * w));
/// optimiser.step();
/// w;  // [0.9, 1.9]
/// @endcode
class Rmsprop final : public Optimiser {
 public:
  /// Keeps handles to these parameters.
  /// @throws std::invalid_argument if an option is out of range or a parameter is frozen.
  explicit Rmsprop(std::vector<NamedTensor> parameters, const RmspropOptions& options = {});
  std::vector<NamedTensor> state() const override;

 protected:
  void update(std::size_t i, Index begin, Index end, Scalar learning_rate,
              Scalar gradient_scale) override;

 private:
  RmspropOptions options_;
  std::vector<Tensor> square_;  // s
};

/// @}

}  // namespace gradus

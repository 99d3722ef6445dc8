/// @file
/// AdamW.
#pragma once

#include "nn/optim/adam.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// The settings of AdamW; the defaults are nanoGPT's for models of characters.
struct AdamWOptions {
  std::optional<double> learning_rate = {};  ///< \f$ \eta \f$ of step() without a rate
  double beta1 = 0.9;         ///< \f$ \beta_1 \f$, the fraction of m that a step keeps
  double beta2 = 0.99;        ///< \f$ \beta_2 \f$, the fraction of v that a step keeps
  double epsilon = 1e-8;      ///< \f$ \varepsilon \f$, against division by zero
  double weight_decay = 0.1;  ///< \f$ \lambda \f$, for matrices only: see StepRule
};

/// Adam with decoupled weight decay: Loshchilov and Hutter, "Decoupled weight decay
/// regularization", 2019.
///
/// m and v are Adam's, computed from the gradients without the decay. A step is
/// \f[ w \leftarrow w - \eta \Bigl( \frac{m / (1 - \beta_1^t)}
/// {\sqrt{v / (1 - \beta_2^t)} + \varepsilon} + \lambda w \Bigr) \f]
/// Matrices decay and vectors (biases and norms) do not, unless a StepRule changes that.
/// @code
/// Tensor w = tensor({{1, 2}}).set_requires_grad();
/// AdamW optimiser({{"w", w}}, {.learning_rate = 0.1, .weight_decay = 0.1});
/// backward(sum(w * w));
/// optimiser.step();
/// w;  // [[0.89, 1.88]]
/// @endcode
class AdamW : public Adam {
 public:
  /// Keeps handles to these parameters.
  /// @throws std::invalid_argument if an option is out of range or a parameter is frozen.
  explicit AdamW(std::vector<NamedTensor> parameters, const AdamWOptions& options = {})
      : Adam("adamw", std::move(parameters),
             {.learning_rate = options.learning_rate,
              .beta1 = options.beta1,
              .beta2 = options.beta2,
              .epsilon = options.epsilon,
              .weight_decay = options.weight_decay},
             Decay::kApart) {}
};

/// @}

}  // namespace gradus

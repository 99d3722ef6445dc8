/// @file
/// Adam.
#pragma once

#include "nn/optim/optimiser.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// The settings of Adam; the defaults are the paper's.
struct AdamOptions {
  std::optional<double> learning_rate = {};  ///< of a step() that is given none
  double beta1 = 0.9;                        ///< how much of the mean of gradients a step keeps
  double beta2 = 0.999;                      ///< how much of the mean of their squares a step keeps
  double epsilon = 1e-8;                     ///< added to the root, against division by zero
  double weight_decay =
      0;  ///< times the parameter, added to its gradient; of matrices: see StepRule
};

/// Steps of roughly constant size, whatever the gradient's scale: Kingma and Ba, "Adam", 2015.
///
/// With gradient g, learning rate \f$ \eta \f$ and weight decay \f$ \lambda \f$, at step t from 1:
/// \f[ g \leftarrow g + \lambda w \f]
/// \f[ m \leftarrow \beta_1 m + (1 - \beta_1)\,g, \qquad
/// v \leftarrow \beta_2 v + (1 - \beta_2)\,g^2 \f]
/// \f[ w \leftarrow w - \eta\,\frac{m / (1 - \beta_1^t)}
/// {\sqrt{v / (1 - \beta_2^t)} + \varepsilon} \f]
/// Matrices decay, vectors (biases and norms) do not, unless a StepRule says otherwise. As the
/// decay is divided by the root like any gradient, it hardly affects weights with large gradients:
/// see AdamW.
/// @code
/// Tensor w = tensor({1, 2}).set_requires_grad();
/// Adam optimiser({{"w", w}}, {.learning_rate = 0.1, .beta2 = 0.99});
/// backward(sum(w * w));
/// optimiser.step();
/// w;  // [0.9, 1.9]
/// @endcode
class Adam : public Optimiser {
 public:
  /// Keeps handles to these parameters.
  /// @throws std::invalid_argument if an option is out of range or a parameter is frozen.
  explicit Adam(std::vector<NamedTensor> parameters, const AdamOptions& options = {});
  std::vector<NamedTensor> state() const override;

 protected:
  /// How weight decay is applied.
  enum class Decay {
    kIntoGradient,  ///< added to the gradient
    kApart,         ///< subtracted from the parameter directly
  };
  /// For subclasses: errors begin with `name`.
  Adam(const char* name, std::vector<NamedTensor> parameters, const AdamOptions& options,
       Decay decay);
  void update(std::size_t i, Index begin, Index end, Scalar learning_rate,
              Scalar gradient_scale) override;

 private:
  AdamOptions options_;
  Decay decay_;
  std::vector<Tensor> mean_;    // m
  std::vector<Tensor> square_;  // v
};

/// @}

}  // namespace gradus

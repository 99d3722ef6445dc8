/// @file
/// Adam.
#pragma once

#include "nn/optim/optimiser.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// The settings of Adam; the defaults are the paper's.
struct AdamOptions {
  std::optional<double> learning_rate = {};  ///< \f$ \eta \f$ of step() without a rate
  double beta1 = 0.9;       ///< \f$ \beta_1 \f$, the fraction of m that a step keeps
  double beta2 = 0.999;     ///< \f$ \beta_2 \f$, the fraction of v that a step keeps
  double epsilon = 1e-8;    ///< \f$ \varepsilon \f$, against division by zero
  double weight_decay = 0;  ///< \f$ \lambda \f$, for matrices only: see StepRule
};

/// Adam: steps whose size hardly depends on the gradient's scale. Kingma and Ba, "Adam: a method
/// for stochastic optimization", 2015.
///
/// With gradient g, learning rate \f$ \eta \f$ and weight decay \f$ \lambda \f$, step t, counted
/// from 1, is
/// \f[ g \leftarrow g + \lambda w \f]
/// \f[ m \leftarrow \beta_1 m + (1 - \beta_1)\,g, \qquad
/// v \leftarrow \beta_2 v + (1 - \beta_2)\,g^2 \f]
/// \f[ w \leftarrow w - \eta\,\frac{m / (1 - \beta_1^t)}
/// {\sqrt{v / (1 - \beta_2^t)} + \varepsilon} \f]
/// Matrices decay and vectors (biases and norms) do not, unless a StepRule changes that. The decay
/// is part of g, so the division by the root shrinks it for weights with large gradients: see
/// AdamW.
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
  /// Where weight decay is added.
  enum class Decay {
    kIntoGradient,  ///< added to the gradient
    kApart,         ///< subtracted from the parameter
  };
  /// For subclasses. Error messages begin with `name`.
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

/// @file
/// Muon, an optimiser whose steps are nearly orthogonal matrices.
#pragma once

#include "nn/optim/adamw.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// The settings of Muon.
struct MuonOptions {
  std::optional<double> learning_rate = {};  ///< \f$ \eta \f$ of step() without a rate
  double momentum = 0.95;     ///< \f$ \beta \f$, the fraction of its velocity that a step keeps
  bool nesterov = true;       ///< whether a step looks ahead along the velocity
  int iterations = 5;         ///< iterations of newton_schulz()
  double weight_decay = 0;    ///< \f$ \lambda \f$, decoupled, for Muon's matrices
  double adamw_rate = 0.015;  ///< AdamW's learning rate, as a multiple of Muon's
  AdamWOptions adamw = {};    ///< for all other parameters; its rate stays unset
};

/// Momentum, with the step of each matrix replaced by (nearly) the nearest orthogonal matrix, so
/// that all directions of the gradient count equally. Jordan and others, "Muon: an optimizer for
/// hidden layers in neural networks", 2024.
///
/// For a weight [in, out] (Jordan writes it as [out, in]) with gradient g, momentum \f$ \beta \f$,
/// learning rate \f$ \eta \f$ and weight decay \f$ \lambda \f$:
/// \f[ v \leftarrow \beta v + g, \qquad u = g + \beta v \f]
/// \f[ w \leftarrow w - \eta \Bigl(
/// \sqrt{\max(1, \mathrm{out} / \mathrm{in})}\,O(u) + \lambda w \Bigr) \f]
/// O is newton_schulz(); without nesterov, u = v. An AdamW inside updates the other parameters:
/// embeddings and output layers (Role::kOuter) and parameters that are not matrices, among them
/// single rows and columns. step(), state() and the other functions cover both.
/// @code
/// Tensor w = tensor({{3, 0}, {0, 4}}).set_requires_grad();
/// Muon optimiser({{"w", w}}, {.learning_rate = 1});
/// backward(sum(w * w));
/// optimiser.step();
/// w.shape();  // [2, 2]
/// @endcode
class Muon final : public Optimiser {
 public:
  /// Keeps handles to these parameters.
  /// @throws std::invalid_argument if an option is out of range or a parameter is frozen.
  explicit Muon(std::vector<NamedTensor> parameters, const MuonOptions& options = {});
  std::vector<NamedTensor> state() const override;
  void set_rules(const std::function<void(const NamedTensor&, StepRule&)>& change) override;

 protected:
  void apply(Scalar learning_rate, Scalar gradient_scale) override;
  /// Always updates a whole matrix: ignores begin and end.
  void update(std::size_t i, Index begin, Index end, Scalar learning_rate,
              Scalar gradient_scale) override;

 private:
  MuonOptions options_;
  std::vector<Tensor> velocity_;  // undefined for the parameters that AdamW updates
  AdamW rest_;
};

/// Brings the singular values of a matrix near 1 and keeps its singular vectors. Each iteration is
/// \f[ X \leftarrow a X + (b A + c A^2)\,X, \qquad A = X X^\top \f]
/// with a = 3.4445, b = -4.7750, c = 2.0315, starting from \f$ X = x / (\|x\| + 10^{-7}) \f$, where
/// the norm is the root of the sum of squares (Frobenius).
///
/// The polynomial is steep at 0 and therefore not exact at 1: five iterations bring all singular
/// values except tiny ones into about [0.7, 1.2]. Shapes: x [M, N] to the same shape. Records no
/// gradient.
/// @throws std::invalid_argument unless x is a matrix with a finite norm and iterations >= 0.
Tensor newton_schulz(const Tensor& x, int iterations = 5);

/// @}

}  // namespace gradus

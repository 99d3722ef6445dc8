/// @file
/// Cross-entropy of logits and class indices.
#pragma once

#include "autograd/index_tensor.h"
#include "autograd/tensor.h"

namespace gradus {

/// @defgroup cross_entropy Cross-entropy
/// The loss of models that choose among classes: large if the right answers are improbable.
/// @{

/// The target of ignored positions by default: see CrossEntropyOptions.
inline constexpr std::int32_t kIgnoreIndex = -100;

/// Options of cross_entropy().
struct CrossEntropyOptions {
  std::int32_t ignore_index = kIgnoreIndex;  ///< positions with this target are ignored
  Scalar label_smoothing = 0;                ///< share of the target spread evenly over all classes
};

/// The mean over positions of \f$ -\ln \mathrm{softmax}(z)_t \f$, in nats, for logits z and target
/// t. Shapes: logits [..., V], targets [...] of the same leading shape, result L []. With label
/// smoothing s, each loss is \f$ -\sum_i q_i \ln \mathrm{softmax}(z)_i \f$ for the distribution
/// \f$ q = (1 - s)\,\mathrm{onehot}(t) + s / V \f$ (Szegedy and others, 2016). Positions whose
/// target is ignore_index are left out; if all positions are, the result is 0.
///
/// A logit of -inf hides a class, as in PyTorch: the loss is infinite if that class is the target.
/// With label smoothing the loss is infinite for any hidden class, because each class has a share
/// of the target. The gradient stays finite. With a label_smoothing of 1 the loss is NaN if the
/// target is hidden. A row of nothing but -inf gives NaN in loss and gradient, unless its position
/// is left out.
/// With N positions counted, the gradient is \f$ dz = dL\,(\mathrm{softmax}(z) - q) / N \f$.
/// @throws std::invalid_argument if shapes do not fit, V is 0, a target is not in [0, V) or
/// label_smoothing is not in [0, 1].
///
/// @code
/// cross_entropy(zeros({2, 4}), indices({1, 3}));  // ln 4 = 1.3863
/// @endcode
Tensor cross_entropy(const Tensor& logits, const IndexTensor& targets,
                     const CrossEntropyOptions& options = {});

/// @}

}  // namespace gradus

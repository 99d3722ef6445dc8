/// @file
/// Normalisation of each vector (layer norm, RMS norm) and, for comparison, of each channel over
/// the batch (batch norm).
#pragma once

#include <array>
#include <variant>

#include "nn/mode.h"
#include "nn/module.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// Normalises each vector to mean 0 and variance 1, then scales and shifts it: see layer_norm().
/// The weight starts as 1, the bias as 0. Ba, Kiros and Hinton, "Layer normalization", 2016.
/// @code
/// LayerNorm(3)(tensor({1, 2, 3}));  // [-1.2247, 0, 1.2247]
/// @endcode
struct LayerNorm {
  Tensor weight;                  ///< [C]
  Tensor bias;                    ///< [C]; undefined without a bias
  Scalar epsilon = Scalar(1e-5);  ///< added to the variance

  LayerNorm() = default;
  /// For vectors of length `channels`.
  explicit LayerNorm(Index channels, bool with_bias = true, Scalar epsilon = Scalar(1e-5));
  /// x [..., C] to y [..., C].
  /// @throws std::invalid_argument if x's last axis is not C.
  Tensor operator()(const Tensor& x) const;
  void fields(auto&& f) {
    f("weight", weight);
    f("bias", bias);
  }
};

/// Divides each vector by its root mean square, then scales it: see rms_norm(). No mean is
/// subtracted, and there is no bias. The weight starts as 1. Zhang and Sennrich, "Root mean square
/// layer normalization", 2019.
/// @code
/// RmsNorm(2)(tensor({3, 4}));  // [0.8485, 1.1314]
/// @endcode
struct RmsNorm {
  Tensor weight;                  ///< [C]
  Scalar epsilon = Scalar(1e-5);  ///< added to the mean square

  RmsNorm() = default;
  /// For vectors of length `channels`.
  explicit RmsNorm(Index channels, Scalar epsilon = Scalar(1e-5));
  /// x [..., C] to y [..., C].
  /// @throws std::invalid_argument if x's last axis is not C.
  Tensor operator()(const Tensor& x) const;
  void fields(auto&& f) { f("weight", weight); }
};

/// Normalises each channel to mean 0 and variance 1 over all vectors of the batch, then scales and
/// shifts it.
/// \f[ y = \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} \odot w + b \f]
/// In training (see Training), \f$ \mu \f$ and \f$ \sigma^2 \f$ are the batch's mean and variance,
/// and the running means of both are updated. Otherwise they are the running means.
///
/// BatchNorm is here for comparison with layer norm: the result for an example depends on the other
/// examples in the batch, and a causal model would see later positions through the statistics.
/// Ioffe and Szegedy, "Batch normalization", 2015.
/// @code
/// const BatchNorm norm(1);
/// {
///   const Training training(1, 0);
///   norm(tensor({{1}, {3}}));  // [[-1], [1]]
/// }
/// norm.running_mean;  // [0.2]
/// @endcode
struct BatchNorm {
  Tensor weight;                  ///< [C]
  Tensor bias;                    ///< [C]
  Tensor running_mean;            ///< [C], a buffer
  Tensor running_var;             ///< [C], a buffer; unbiased, as in PyTorch
  Scalar epsilon = Scalar(1e-5);  ///< added to the variance
  Scalar momentum = Scalar(0.1);  ///< the fraction of the running means that a batch replaces

  BatchNorm() = default;
  /// For vectors of length `channels`. The weight starts as 1, the bias as 0, the running mean as 0
  /// and the running variance as 1.
  explicit BatchNorm(Index channels, Scalar epsilon = Scalar(1e-5));
  /// x [..., C] to y [..., C].
  /// @throws std::invalid_argument if x's last axis is not C, epsilon is negative or not finite,
  /// momentum is not in [0, 1], or a training batch has fewer than two vectors.
  Tensor operator()(const Tensor& x) const;
  void fields(auto&& f) {
    f("weight", weight);
    f("bias", bias);
    f.buffer("running_mean", running_mean);
    f.buffer("running_var", running_var);
  }
};

/// The kinds of normalisation.
enum class NormKind {
  kLayer,  ///< LayerNorm
  kRms,    ///< RmsNorm
  kBatch,  ///< BatchNorm
};
/// The names of the values in files and flags.
constexpr std::array<const char*, 3> names_of(NormKind) { return {"layer", "rms", "batch"}; }

/// Layer, RMS or batch normalisation, as a config selects it.
/// @code
/// Norm(NormKind::kRms, 2)(tensor({3, 4}));  // [0.8485, 1.1314]
/// @endcode
struct Norm {
  std::variant<LayerNorm, RmsNorm, BatchNorm> kind;  ///< the selected norm

  Norm() = default;
  /// For vectors of length `channels`. Only layer norm uses `with_bias`.
  Norm(NormKind kind, Index channels, bool with_bias = true, Scalar epsilon = Scalar(1e-5));
  /// x [..., C] to y [..., C].
  Tensor operator()(const Tensor& x) const;
  void fields(auto&& f) {
    std::visit([&](auto& norm) { norm.fields(f); }, kind);
  }
};

/// @}

}  // namespace gradus

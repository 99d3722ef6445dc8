/// @file
/// Normalisation of each vector; and of each channel over the batch, for comparison.
#pragma once

#include <array>
#include <variant>

#include "nn/mode.h"
#include "nn/module.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// Normalises each vector to mean 0 and variance 1, then scales and shifts it: see layer_norm().
/// Starts as weight 1, bias 0. Ba, Kiros and Hinton, "Layer normalization", 2016.
/// @code
/// LayerNorm(3)(tensor({1, 2, 3}));  // [-1.2247, 0, 1.2247]
/// @endcode
struct LayerNorm {
  Tensor weight;                  ///< [C]
  Tensor bias;                    ///< [C], undefined for none
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
/// subtracted, and there is no bias. Starts as weight 1. Zhang and Sennrich, "Root mean square
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
/// Training (see Training) uses the batch's mean and variance and updates running means of both;
/// otherwise the running means are used.
///
/// For comparison with layer norm: an example's result depends on the other examples in the batch,
/// and a causal model would see its future through the statistics. Ioffe and Szegedy, "Batch
/// normalization", 2015.
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
  Tensor running_var;             ///< [C], unbiased as in PyTorch; a buffer
  Scalar epsilon = Scalar(1e-5);  ///< added to the variance
  Scalar momentum = Scalar(0.1);  ///< the fraction of the running means that a batch replaces

  BatchNorm() = default;
  /// For vectors of length `channels`. Starts as weight 1, bias 0, running mean 0 and running
  /// variance 1.
  explicit BatchNorm(Index channels, Scalar epsilon = Scalar(1e-5));
  /// x [..., C] to y [..., C].
  /// @throws std::invalid_argument if x's last axis is not C, epsilon is negative or not finite or
  /// momentum not in [0, 1].
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
/// Their names in files and flags.
constexpr std::array<const char*, 3> names_of(NormKind) { return {"layer", "rms", "batch"}; }

/// Layer, RMS or batch normalisation, chosen by a config.
/// @code
/// Norm(NormKind::kRms, 2)(tensor({3, 4}));  // [0.8485, 1.1314]
/// @endcode
struct Norm {
  std::variant<LayerNorm, RmsNorm, BatchNorm> kind;  ///< the one in use

  Norm() = default;
  /// For vectors of length `channels`; only layer norm uses `with_bias`.
  Norm(NormKind kind, Index channels, bool with_bias = true, Scalar epsilon = Scalar(1e-5));
  /// x [..., C] to y [..., C].
  Tensor operator()(const Tensor& x) const;
  void fields(auto&& f) {
    std::visit([&](auto& norm) { norm.fields(f); }, kind);
  }
};

/// @}

}  // namespace gradus

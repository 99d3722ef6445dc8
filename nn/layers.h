/// @file
/// The layers that models are built of: Linear, Embedding, LayerNorm, FeedForward.
///
/// Names and argument order follow PyTorch, except that Linear keeps its weight as [in, out], the
/// way it is written on paper (y = x W + b) and the way GPT-2's checkpoints hold it. Shapes: B
/// batch, T time, C channels.
#pragma once

#include <array>

#include "autograd/index_tensor.h"
#include "nn/module.h"
#include "nn/training.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// The affine map y = x W + b: x [..., in] to y [..., out].
///
/// Both are initialised uniformly in [-1 / sqrt(in), 1 / sqrt(in)), as PyTorch does.
struct Linear {
  Tensor weight;  ///< [in, out]
  Tensor bias;    ///< [out], undefined for none

  Linear() = default;
  /// Takes two keys, for weight and bias, or one without bias.
  Linear(Index in, Index out, KeySequence& keys, bool with_bias = true);
  /// x [..., in] to y [..., out].
  /// @throws std::invalid_argument if x's last axis is not `in`.
  Tensor operator()(const Tensor& x) const;
  /// Names the members once: see module.h.
  void fields(auto&& f) {
    f("weight", weight);
    f("bias", bias);
  }
};

/// A table of vectors, one for each token: tokens [...] to [..., C]. Initialised with N(0, 1).
struct Embedding {
  Tensor weight;  ///< [V, C]

  Embedding() = default;
  /// Takes one key.
  Embedding(Index vocab_size, Index channels, KeySequence& keys);
  /// tokens [...] to y [..., C].
  /// @throws std::invalid_argument naming a token that is not in [0, V).
  Tensor operator()(const IndexTensor& tokens) const;
  /// Names the members once: see module.h.
  void fields(auto&& f) { f("weight", weight); }
};

/// Normalises each vector to mean 0 and variance 1, then scales and shifts it. Starts as weight 1,
/// bias 0.
struct LayerNorm {
  Tensor weight;                  ///< [C]
  Tensor bias;                    ///< [C], undefined for none
  Scalar epsilon = Scalar(1e-5);  ///< added to the variance

  LayerNorm() = default;
  /// For vectors of `channels` numbers.
  explicit LayerNorm(Index channels, bool with_bias = true, Scalar epsilon = Scalar(1e-5));
  /// x [..., C] to y [..., C].
  /// @throws std::invalid_argument if x's last axis is not C.
  Tensor operator()(const Tensor& x) const;
  /// Names the members once: see module.h.
  void fields(auto&& f) {
    f("weight", weight);
    f("bias", bias);
  }
};

/// Sets elements to 0 with probability p in training (see Training), and nothing otherwise.
struct Dropout {
  Scalar p = 0;  ///< probability with which an element is dropped

  /// x of any shape to the same shape.
  Tensor operator()(const Tensor& x) const { return dropout_in_training(x, p); }
  /// Names the members once: see module.h.
  void fields(auto&&) {}
};

/// What bends a feed-forward network.
enum class Activation {
  kGelu,         ///< gelu() in its tanh form, as in GPT-2
  kReluSquared,  ///< relu_squared(): So and others, "Primer", 2021
};
/// Their names in files and flags, which are Hugging Face's.
constexpr std::array<const char*, 2> names_of(Activation) { return {"gelu_new", "relu2"}; }

/// The same two-layer network at each position: y = dropout(f(x W1 + b1) W2 + b2) with an
/// activation f. Vaswani and others, 2017.
struct FeedForward {
  Linear c_fc;                                ///< [C, hidden]
  Linear c_proj;                              ///< [hidden, C]
  Dropout dropout;                            ///< of the result
  Activation activation = Activation::kGelu;  ///< f

  FeedForward() = default;
  /// `hidden` is the inner width, usually 4 C.
  FeedForward(Index channels, Index hidden, KeySequence& keys, bool with_bias = true,
              Scalar dropout = 0, Activation activation = Activation::kGelu);
  /// x [..., C] to y [..., C].
  Tensor operator()(const Tensor& x) const;
  /// Names the members once: see module.h.
  void fields(auto&& f) {
    f("c_fc", c_fc);
    f("c_proj", c_proj);
  }
};

/// @}

}  // namespace gradus

/// @file
/// The feed-forward network of a block, and its activations.
#pragma once

#include <array>

#include "nn/layers/layers.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// The activation of a feed-forward network. The last four are gated: the hidden vector has two
/// halves a and b, and the activation of a multiplies b. Shazeer, "GLU variants improve
/// transformer", 2020.
enum class Activation {
  kGelu,         ///< gelu() in its tanh form, as in GPT-2
  kReluSquared,  ///< relu_squared(): So and others, "Primer", 2021
  kRelu,         ///< relu(), as in the first transformer
  kGeluErf,      ///< gelu_erf(), as in BERT
  kSilu,         ///< silu()
  kGlu,          ///< \f$ \mathrm{sigmoid}(a)\,b \f$
  kReGlu,        ///< \f$ \mathrm{relu}(a)\,b \f$
  kGeGlu,        ///< \f$ \mathrm{gelu}(a)\,b \f$
  kSwiGlu,       ///< \f$ \mathrm{silu}(a)\,b \f$
};
/// The names of the values in files and flags: Hugging Face's names where it has one.
constexpr std::array<const char*, 9> names_of(Activation) {
  return {"gelu_new", "relu2", "relu", "gelu", "silu", "glu", "reglu", "geglu", "swiglu"};
}

/// Whether the activation is gated.
constexpr bool is_gated(Activation activation) { return activation >= Activation::kGlu; }

/// Applies the activation: x [..., F] to the same shape or, if it is gated, x [..., 2 F] to [...,
/// F].
Tensor activate(const Tensor& x, Activation activation);

/// A two-layer network, applied to each position separately. Vaswani and others, "Attention is all
/// you need", 2017.
/// \f[ y = \mathrm{dropout}\bigl(f(x\,W_1 + b_1)\,W_2 + b_2\bigr) \f]
/// with activation f.
/// @code
/// KeySequence keys(1);
/// const FeedForward network(4, 16, keys);
/// network(ones({2, 7, 4})).shape();  // [2, 7, 4]
/// @endcode
struct FeedForward {
  Linear c_fc;                                ///< [C, hidden], or [C, 2 hidden] if f is gated
  Linear c_proj;                              ///< [hidden, C]
  Dropout dropout;                            ///< applied to the result
  Activation activation = Activation::kGelu;  ///< f

  FeedForward() = default;
  /// `hidden` is the hidden width, usually 4 C.
  FeedForward(Index channels, Index hidden, KeySequence& keys, bool with_bias = true,
              Scalar dropout = 0, Activation activation = Activation::kGelu);
  /// x [..., C] to y [..., C].
  Tensor operator()(const Tensor& x) const;
  void fields(auto&& f) {
    f("c_fc", c_fc);
    f("c_proj", c_proj);
  }
};

/// @}

}  // namespace gradus

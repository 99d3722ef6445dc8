/// @file
/// The basic layers: Linear, Embedding and Dropout. norm.h, feed_forward.h and attention.h have the
/// others.
///
/// Names and argument order follow PyTorch, except that Linear stores its weight as [in, out], as
/// written on paper (y = x W + b) and in GPT-2's checkpoints. Shapes: B batch, T time, C channels.
#pragma once

#include "autograd/index_tensor.h"
#include "nn/mode.h"
#include "nn/module.h"

namespace gradus {

/// @addtogroup layers
/// @{

namespace detail {
/// Checks that a width of `layer` is at least 1, and so small that its multiples cannot overflow.
/// @throws std::invalid_argument naming the layer.
void check_width(const char* layer, Index width);
}  // namespace detail

/// The affine map y = x W + b: x [..., in] to y [..., out].
///
/// Weight and bias are initialised uniformly in \f$ [-1/\sqrt n, 1/\sqrt n) \f$ with n = in, as in
/// PyTorch. With a low-rank pair (see lora.h), y = x W + b + s (x A) B.
/// @code
/// KeySequence keys(1);
/// const Linear layer(3, 2, keys);
/// layer(ones({4, 3})).shape();  // [4, 2]
/// @endcode
struct Linear {
  Tensor weight;          ///< [in, out]
  NarrowMatrix narrow;    ///< [out, in]: the weight in place of `weight`, if it is not in float32
  Tensor bias;            ///< [out]; undefined without a bias
  Tensor lora_a;          ///< A [in, r] of a low-rank pair; undefined without one
  Tensor lora_b;          ///< B [r, out]
  Scalar lora_scale = 0;  ///< s

  Linear() = default;
  /// Takes a key for the weight and one for the bias, if there is a bias. All layers of a model
  /// share `keys`, which starts from a seed: `KeySequence keys(1);`. With keys for narrow weights,
  /// `narrow` is made without values.
  /// @throws std::invalid_argument unless both sizes are in [1, 2^30].
  Linear(Index in, Index out, KeySequence& keys, bool with_bias = true);
  /// Computes y = x W + b, and adds s (x A) B if there is a pair. With a narrow weight, there is no
  /// gradient.
  /// @throws std::invalid_argument if x's last axis is not `in`.
  Tensor operator()(const Tensor& x) const;
  /// Whether it has a weight.
  bool is_made() const { return weight.defined() || narrow.defined(); }
  void fields(auto&& f) {
    f("weight", weight);
    f("weight", narrow);
    f("bias", bias);
    f("lora_A.weight", lora_a);  // PEFT's names
    f("lora_B.weight", lora_b);
  }
};

/// A table with one vector per token: tokens [...] to vectors [..., C]. Initialised with N(0, 1). V
/// is the number of tokens.
/// @code
/// KeySequence keys(1);
/// const Embedding table(5, 3, keys);
/// table(indices({{0, 4}})).shape();  // [1, 2, 3]
/// @endcode
struct Embedding {
  Tensor weight;        ///< [V, C]
  NarrowMatrix narrow;  ///< [V, C]: the table in place of `weight`, if it is not in float32

  Embedding() = default;
  /// Takes one key.
  Embedding(Index vocab_size, Index channels, KeySequence& keys);
  /// tokens [...] to y [..., C].
  /// @throws std::invalid_argument naming a token that is not in [0, V).
  Tensor operator()(const IndexTensor& tokens) const;
  void fields(auto&& f) {
    f.outer("weight", weight);
    f.outer("weight", narrow);
  }
};

/// In training (see Training), sets elements to 0 with probability p and divides the others by 1 -
/// p; otherwise returns x.
/// @code
/// Dropout{Scalar(0.5)}(ones({3}));  // [1, 1, 1]
/// @endcode
struct Dropout {
  Scalar p = 0;  ///< probability of dropping an element

  /// x of any shape to the same shape.
  /// @throws std::invalid_argument if p is not in [0, 1).
  Tensor operator()(const Tensor& x) const { return dropout_in_training(x, p); }
  void fields(auto&&) {}
};

/// @}

}  // namespace gradus

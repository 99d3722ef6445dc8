/// @file
/// The encoder: a stack of layers in which every position attends to every other.
///
/// Vaswani and others, "Attention is all you need", 2017. Shapes: B batch, S source length, C =
/// d_model.
#pragma once

#include <vector>

#include "nn/layers/attention.h"
#include "nn/layers/feed_forward.h"
#include "nn/layers/norm.h"
#include "nn/layers/position.h"

namespace gradus {

/// @addtogroup models
/// @{

/// Whether the norms come before or after the branches.
enum class NormPlace {
  kPre,   ///< x + f(norm(x)), and a final norm after the stack: trains without warm-up
  kPost,  ///< norm(x + f(x)), as in the first transformer and in BERT
};
/// Their names in files and flags.
constexpr std::array<const char*, 2> names_of(NormPlace) { return {"pre", "post"}; }

/// How to build the layers of an encoder or decoder.
/// @code
/// LayerOptions{.d_model = 64}.inner();  // 256
/// @endcode
struct LayerOptions {
  Index d_model = 512;                        ///< C, the width of a position's vector
  int num_heads = 8;                          ///< H, the number of heads of each attention
  Index d_ff = 0;                             ///< width of the feed-forward network; 0 for 4 C
  Scalar dropout = Scalar(0.1);               ///< of embeddings, attention weights and branches
  Activation activation = Activation::kRelu;  ///< of the feed-forward network
  NormKind norm = NormKind::kLayer;           ///< of the norms
  NormPlace norm_place = NormPlace::kPre;     ///< before or after the branches
  Scalar epsilon = Scalar(1e-5);              ///< added to variances
  Position position = Position::kSinusoidal;  ///< how positions are encoded
  Index max_length = 512;                     ///< the longest text: see position.h
  bool bias = true;                           ///< of linear layers and layer norms

  /// The width of the feed-forward network.
  Index inner() const { return d_ff > 0 ? d_ff : 4 * d_model; }
  /// A norm with these options.
  Norm make_norm() const { return Norm(norm, d_model, bias, epsilon); }
  /// A positional encoding with these options; `both_ways` unless later positions are masked.
  PositionalEncoding make_positions(bool both_ways, KeySequence& keys) const;
  /// Attention and a feed-forward network with these options.
  MultiHeadAttention make_attention(KeySequence& keys) const;
  FeedForward make_feed_forward(KeySequence& keys) const;  ///< see make_attention()

  /// Checks that such layers can be built.
  /// @throws std::invalid_argument naming the first invalid option.
  void validate() const;

  /// Names each field, as config.json has it.
  void fields(auto&& f) {
    f("d_model", d_model);
    f("num_heads", num_heads);
    f("d_ff", d_ff);
    f("dropout", dropout);
    f("activation", activation);
    f("norm", norm);
    f("norm_place", norm_place);
    f("epsilon", epsilon);
    f("position", position);
    f("max_length", max_length);
    f("bias", bias);
  }
};

/// A residual branch: x + f(norm(x)), or norm(x + f(x)).
template <class Branch>
Tensor residual(const Tensor& x, const Norm& norm, NormPlace place, Branch branch) {
  return place == NormPlace::kPre ? x + branch(norm(x)) : norm(x + branch(x));
}

/// Self-attention, then the feed-forward network, each a residual branch.
/// @code
/// KeySequence keys(1);
/// const EncoderLayer layer({.d_model = 8, .num_heads = 2}, Tensor(), keys);
/// layer(ones({2, 7, 8})).shape();  // [2, 7, 8]
/// @endcode
struct EncoderLayer {
  Norm norm_1;                             ///< of the attention
  MultiHeadAttention self_attention;       ///< the first branch
  Norm norm_2;                             ///< of the feed-forward network
  FeedForward feed_forward;                ///< the second branch
  Dropout dropout;                         ///< of the first branch; the second has its own
  NormPlace norm_place = NormPlace::kPre;  ///< before or after the branches

  EncoderLayer() = default;
  /// As the options say. `angles` is the rotary_table() of all layers, or undefined.
  EncoderLayer(const LayerOptions& options, const Tensor& angles, KeySequence& keys);
  /// x [B, S, C] to y [B, S, C].
  Tensor operator()(const Tensor& x, const AttentionOptions& options = {}) const;
  void fields(auto&& f) {
    f("norm_1", norm_1);
    f("self_attention", self_attention);
    f("norm_2", norm_2);
    f("feed_forward", feed_forward);
  }
};

/// Positions, dropout, N layers and, with pre-norm, a final norm.
/// @code
/// KeySequence keys(1);
/// const Encoder encoder({.d_model = 8, .num_heads = 2}, 3, keys);
/// encoder(ones({2, 7, 8})).shape();  // [2, 7, 8]
/// @endcode
struct Encoder {
  LayerOptions options;              ///< of its layers
  PositionalEncoding positions;      ///< of all layers
  std::vector<EncoderLayer> layers;  ///< N layers; the first reads the input
  Norm norm;                         ///< the final one; unused with post-norm

  Encoder() = default;
  /// N layers as the options say.
  /// @throws std::invalid_argument if the options are invalid.
  Encoder(const LayerOptions& options, int n, KeySequence& keys);

  /// Embedded tokens x [B, S, C] to y [B, S, C]; positions where the mask (broadcast to [B, H, S,
  /// S]) is 0 are not attended to.
  /// @throws std::invalid_argument if the text is longer than the positional encoding allows.
  Tensor operator()(const Tensor& x, const IndexTensor& mask = IndexTensor()) const;
  /// The layers alone, without position vectors and dropout before them.
  Tensor run(const Tensor& x, const IndexTensor& mask = IndexTensor()) const;
  void fields(auto&& f) {
    f("positions", positions);
    f("layers", layers);
    if (options.norm_place == NormPlace::kPre) {
      f("norm", norm);
    }
  }
};

/// @}

}  // namespace gradus

/// @file
/// The encoder: a stack of layers in which every position attends to all positions.
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
/// The names of the values in files and flags.
constexpr std::array<const char*, 2> names_of(NormPlace) { return {"pre", "post"}; }

/// The options of the layers of an encoder or decoder.
/// @code
/// LayerOptions{.d_model = 64}.inner();  // 256
/// @endcode
struct LayerOptions {
  Index d_model = 512;           ///< C, the width of a position's vector
  int num_heads = 8;             ///< H, the number of heads of each attention layer
  Index d_ff = 0;                ///< hidden width of the feed-forward network; 0: 4 C
  Scalar dropout = Scalar(0.1);  ///< probability for embeddings, attention weights and branches
  Activation activation = Activation::kRelu;  ///< for the feed-forward network
  NormKind norm = NormKind::kLayer;           ///< kind of the norms
  NormPlace norm_place = NormPlace::kPre;     ///< before or after the branches
  Scalar epsilon = Scalar(1e-5);              ///< added to variances in norms
  Position position = Position::kSinusoidal;  ///< how positions are encoded
  Index max_length = 512;                     ///< the largest number of positions: see position.h
  bool bias = true;                           ///< whether linear layers and layer norms have a bias

  /// The hidden width of the feed-forward network.
  Index inner() const { return d_ff > 0 ? d_ff : 4 * d_model; }
  /// Makes a norm with these options.
  Norm make_norm() const { return Norm(norm, d_model, bias, epsilon); }
  /// Makes a positional encoding with these options. `both_ways` is true unless later positions are
  /// masked.
  PositionalEncoding make_positions(bool both_ways, KeySequence& keys) const;
  /// Makes an attention layer with these options.
  MultiHeadAttention make_attention(KeySequence& keys) const;
  FeedForward make_feed_forward(KeySequence& keys) const;  ///< makes a feed-forward network

  /// Checks that layers with these options can be built.
  /// @throws std::invalid_argument naming the first invalid option.
  void validate() const;

  /// Names each field as in config.json.
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

/// A residual branch f: returns x + f(norm(x)) with pre-norm, norm(x + f(x)) with post-norm.
template <class Branch>
Tensor residual(const Tensor& x, const Norm& norm, NormPlace place, Branch branch) {
  return place == NormPlace::kPre ? x + branch(norm(x)) : norm(x + branch(x));
}

/// An encoder layer: self-attention, then the feed-forward network, each as a residual branch.
/// @code
/// KeySequence keys(1);
/// const EncoderLayer layer({.d_model = 8, .num_heads = 2}, Tensor(), keys);
/// layer(ones({2, 7, 8})).shape();  // [2, 7, 8]
/// @endcode
struct EncoderLayer {
  Norm norm_1;                             ///< for the attention
  MultiHeadAttention self_attention;       ///< the first branch
  Norm norm_2;                             ///< for the feed-forward network
  FeedForward feed_forward;                ///< the second branch
  Dropout dropout;                         ///< for the first branch; the second has its own
  NormPlace norm_place = NormPlace::kPre;  ///< before or after the branches

  EncoderLayer() = default;
  /// Makes a layer with these options. `angles` is the rotary_table() that all layers share, or
  /// undefined.
  EncoderLayer(const LayerOptions& options, const Tensor& angles, KeySequence& keys);
  /// x [B, S, C] to y [B, S, C]; mask and bias broadcast to [B, H, S, S].
  Tensor operator()(const Tensor& x, const AttentionOptions& options = {}) const;
  void fields(auto&& f) {
    f("norm_1", norm_1);
    f("self_attention", self_attention);
    f("norm_2", norm_2);
    f("feed_forward", feed_forward);
  }
};

/// An encoder: positional encoding, dropout, N layers and, with pre-norm, a final norm.
/// @code
/// KeySequence keys(1);
/// const Encoder encoder({.d_model = 8, .num_heads = 2}, 3, keys);
/// encoder(ones({2, 7, 8})).shape();  // [2, 7, 8]
/// @endcode
struct Encoder {
  LayerOptions options;              ///< the options of its layers
  PositionalEncoding positions;      ///< one encoding for all layers
  std::vector<EncoderLayer> layers;  ///< N layers; the first reads the input
  Norm norm;                         ///< the final norm; unused with post-norm

  Encoder() = default;
  /// Makes n layers with these options.
  /// @throws std::invalid_argument if the options are invalid or n is below 1.
  Encoder(const LayerOptions& options, int n, KeySequence& keys);

  /// Embedded tokens x [B, S, C] to y [B, S, C]. The mask broadcasts to [B, H, S, S]; no position
  /// attends to a position whose mask is 0.
  /// @throws std::invalid_argument if the text is longer than the positional encoding allows.
  Tensor operator()(const Tensor& x, const IndexTensor& mask = IndexTensor()) const;
  /// The layers and the final norm alone: x [B, S, C] to y [B, S, C], without position vectors and
  /// dropout before the layers.
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

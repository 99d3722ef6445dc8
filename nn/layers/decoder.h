/// @file
/// The decoder: a stack of layers in which each position attends to those before it and to the
/// whole source.
///
/// Vaswani and others, "Attention is all you need", 2017. Shapes: B batch, T target length, S
/// source length, C = d_model.
#pragma once

#include <vector>

#include "nn/layers/encoder.h"

namespace gradus {

/// @addtogroup models
/// @{

/// A decoder layer's kv cache for a batch: see Decoder::extend().
/// @code
/// KeySequence keys(1);
/// const Decoder decoder({.d_model = 8, .num_heads = 2}, 1, keys);
/// decoder.begin(ones({2, 7, 8})).layers[0].source.keys.shape();  // [2, 2, 7, 4]
/// @endcode
struct DecoderLayerCache {
  KvCache own;                           ///< of the target tokens so far
  MultiHeadAttention::KeyValues source;  ///< of the encoder's output
};

/// A decoder's kv cache for a batch. Copies are independent: memory that two of them share is not
/// written to.
/// @code
/// KeySequence keys(1);
/// const Decoder decoder({.d_model = 8, .num_heads = 2}, 1, keys);
/// DecoderCache cache = decoder.begin(ones({2, 7, 8}));
/// decoder.extend(ones({2, 3, 8}), cache).shape();  // [2, 3, 8]
/// cache.length();  // 3
/// @endcode
struct DecoderCache {
  std::vector<DecoderLayerCache> layers;  ///< one per layer
  IndexTensor source_mask;                ///< the source positions to attend to

  /// The number of positions read so far; 0 if begin() did not make it.
  Index length() const;
  /// The cache of rows `rows`, in that order; a row may occur several times: what a beam search
  /// continues with.
  DecoderCache of_rows(const IndexTensor& rows) const;
};

/// Causal self-attention, cross-attention to the source, then the feed-forward network: three
/// residual branches, each with a norm and dropout.
/// @code
/// KeySequence keys(1);
/// const DecoderLayer layer({.d_model = 8, .num_heads = 2}, Tensor(), keys);
/// DecoderLayerCache cache;
/// cache.source = layer.cross_attention.key_values(ones({2, 7, 8}));
/// layer(ones({2, 3, 8}), cache, {.causal = true}, {}).shape();  // [2, 3, 8]
/// @endcode
struct DecoderLayer {
  Norm norm_1;                             ///< of the self-attention
  MultiHeadAttention self_attention;       ///< the first branch
  Norm norm_2;                             ///< of the cross-attention
  MultiHeadAttention cross_attention;      ///< the second: keys and values from the source
  Norm norm_3;                             ///< of the feed-forward network
  FeedForward feed_forward;                ///< the third, which has its own dropout
  Dropout dropout;                         ///< of the first two branches
  NormPlace norm_place = NormPlace::kPre;  ///< before or after the branches

  DecoderLayer() = default;
  /// As the options say. `angles` is the rotary_table() of all layers, or undefined.
  DecoderLayer(const LayerOptions& options, const Tensor& angles, KeySequence& keys);
  /// x [B, T, C] and the cache of a source to y [B, T, C]; x's keys and values are appended to the
  /// cache.
  Tensor operator()(const Tensor& x, DecoderLayerCache& cache, const AttentionOptions& self,
                    const AttentionOptions& cross) const;
  void fields(auto&& f) {
    f("norm_1", norm_1);
    f("self_attention", self_attention);
    f("norm_2", norm_2);
    f("cross_attention", cross_attention);
    f("norm_3", norm_3);
    f("feed_forward", feed_forward);
  }
};

/// Positions, dropout, N layers and, with pre-norm, a final norm.
/// @code
/// KeySequence keys(1);
/// const Decoder decoder({.d_model = 8, .num_heads = 2}, 3, keys);
/// decoder(ones({2, 5, 8}), ones({2, 7, 8})).shape();  // [2, 5, 8]
/// @endcode
struct Decoder {
  LayerOptions options;              ///< of its layers
  PositionalEncoding positions;      ///< of all layers
  std::vector<DecoderLayer> layers;  ///< N layers; the first reads the input
  Norm norm;                         ///< the final one; unused with post-norm

  Decoder() = default;
  /// N layers as the options say.
  /// @throws std::invalid_argument if the options are invalid, or positions are kUnit: these need
  /// the length of the whole text, which is not known during generation.
  Decoder(const LayerOptions& options, int n, KeySequence& keys);

  /// Embedded targets x [B, T, C] and the encoder's output [B, S, C] to y [B, T, C]. Position t
  /// always attends only to targets up to t; `mask` (broadcast to [B, H, T, T]) hides more of them,
  /// `source_mask` ([B, H, T, S]) hides source positions.
  Tensor operator()(const Tensor& x, const Tensor& source, const IndexTensor& mask = IndexTensor(),
                    const IndexTensor& source_mask = IndexTensor()) const;

  /// A cache for a batch of which only the source [B, S, C] has been read.
  DecoderCache begin(const Tensor& source, const IndexTensor& source_mask = IndexTensor()) const;
  /// Reads T more embedded targets [B, T, C] and returns y [B, T, C], equal to the last T positions
  /// of operator() for all of them. Under NoGrad, keys and values are appended in place, and the
  /// capacity doubles as needed.
  /// @throws std::invalid_argument if the cache has another number of layers.
  Tensor extend(const Tensor& x, DecoderCache& cache,
                const IndexTensor& mask = IndexTensor()) const;

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

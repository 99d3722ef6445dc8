/// @file
/// The decoder: a stack of layers in which each position attends to itself, to the positions before
/// it and to the whole source.
///
/// Vaswani and others, "Attention is all you need", 2017. Shapes: B batch, T target length, S
/// source length, C = d_model.
#pragma once

#include <vector>

#include "nn/layers/encoder.h"

namespace gradus {

/// @addtogroup models
/// @{

/// The kv cache of one decoder layer for a batch: see Decoder::extend().
/// @code
/// KeySequence keys(1);
/// const Decoder decoder({.d_model = 8, .num_heads = 2}, 1, keys);
/// decoder.begin(ones({2, 7, 8})).layers[0].source.keys.shape();  // [2, 2, 7, 4]
/// @endcode
struct DecoderLayerCache {
  KvCache own;                           ///< keys and values of the target tokens so far
  MultiHeadAttention::KeyValues source;  ///< keys and values of the encoder's output
};

/// The kv cache of a decoder for a batch. Copies are independent: extend() never writes to memory
/// that two copies share.
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

  /// The number of target positions read so far; 0 for a cache that begin() did not make.
  Index length() const;
  /// Returns the cache of the rows with these numbers, in this order, for beam search. A row may
  /// occur several times.
  DecoderCache of_rows(const IndexTensor& rows) const;
};

/// A decoder layer: causal self-attention, cross-attention to the source, then the feed-forward
/// network, as three residual branches, each with a norm and dropout.
/// @code
/// KeySequence keys(1);
/// const DecoderLayer layer({.d_model = 8, .num_heads = 2}, Tensor(), keys);
/// DecoderLayerCache cache;
/// cache.source = layer.cross_attention.key_values(ones({2, 7, 8}));
/// layer(ones({2, 3, 8}), cache, {.causal = true}, {}).shape();  // [2, 3, 8]
/// @endcode
struct DecoderLayer {
  Norm norm_1;                         ///< for the self-attention
  MultiHeadAttention self_attention;   ///< the first branch
  Norm norm_2;                         ///< for the cross-attention
  MultiHeadAttention cross_attention;  ///< the second branch, with keys and values from the source
  Norm norm_3;                         ///< for the feed-forward network
  FeedForward feed_forward;            ///< the third branch, with its own dropout
  Dropout dropout;                     ///< for the first two branches
  NormPlace norm_place = NormPlace::kPre;  ///< norms before or after the branches

  DecoderLayer() = default;
  /// Makes a layer with these options. `angles` is the rotary_table() that all layers share, or
  /// undefined.
  DecoderLayer(const LayerOptions& options, const Tensor& angles, KeySequence& keys);
  /// x [B, T, C] and the cache of a source to y [B, T, C]. Appends the keys and values of x to the
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

/// A decoder: positional encoding, dropout, N layers and, with pre-norm, a final norm.
/// @code
/// KeySequence keys(1);
/// const Decoder decoder({.d_model = 8, .num_heads = 2}, 3, keys);
/// decoder(ones({2, 5, 8}), ones({2, 7, 8})).shape();  // [2, 5, 8]
/// @endcode
struct Decoder {
  LayerOptions options;              ///< the options of its layers
  PositionalEncoding positions;      ///< one encoding for all layers
  std::vector<DecoderLayer> layers;  ///< N layers; the first reads the input
  Norm norm;                         ///< the final norm; unused with post-norm

  Decoder() = default;
  /// Makes n layers with these options.
  /// @throws std::invalid_argument if the options are invalid, n is below 1, or positions are
  /// kUnit: these need the length of the whole text, which is not known during generation.
  Decoder(const LayerOptions& options, int n, KeySequence& keys);

  /// Embedded targets x [B, T, C] and the encoder's output `source` [B, S, C] to y [B, T, C].
  /// Position t attends only to targets up to t. `mask` broadcasts to [B, H, T, T] and hides
  /// further targets; `source_mask` broadcasts to [B, H, T, S] and hides source positions.
  Tensor operator()(const Tensor& x, const Tensor& source, const IndexTensor& mask = IndexTensor(),
                    const IndexTensor& source_mask = IndexTensor()) const;

  /// Reads the source [B, S, C] and returns a cache without target positions.
  DecoderCache begin(const Tensor& source, const IndexTensor& source_mask = IndexTensor()) const;
  /// Reads T more embedded targets [B, T, C] and returns y [B, T, C]: the last T positions of
  /// operator() for all targets so far. Under NoGrad, keys and values are appended in
  /// place, and the capacity doubles when the cache is full.
  /// @throws std::invalid_argument if the cache has a different number of layers.
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

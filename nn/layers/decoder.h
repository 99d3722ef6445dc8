/// @file
/// The decoder: a stack of layers in which each place sees those before it and the whole source.
///
/// Vaswani and others, "Attention is all you need", 2017. Shapes: B batch, T target length, S
/// source length, C = d_model.
#pragma once

#include <vector>

#include "nn/layers/encoder.h"

namespace gradus {

/// @addtogroup models
/// @{

/// What a decoder layer has read of B texts: see Decoder::extend().
/// @code
/// KeySequence keys(1);
/// const Decoder decoder({.d_model = 8, .num_heads = 2}, 1, keys);
/// decoder.begin(ones({2, 7, 8})).layers[0].source.keys.shape();  // [2, 2, 7, 4]
/// @endcode
struct DecoderLayerCache {
  KeyValueCache own;                      ///< of the targets so far
  MultiHeadAttention::KeysValues source;  ///< of the encoder's output
};

/// What a decoder has read of B texts. Copies go on by themselves: memory that two of them share is
/// not written to.
/// @code
/// KeySequence keys(1);
/// const Decoder decoder({.d_model = 8, .num_heads = 2}, 1, keys);
/// DecoderCache cache = decoder.begin(ones({2, 7, 8}));
/// decoder.extend(ones({2, 3, 8}), cache).shape();  // [2, 3, 8]
/// cache.length();  // 3
/// @endcode
struct DecoderCache {
  std::vector<DecoderLayerCache> layers;  ///< of each layer
  IndexTensor source_mask;                ///< which places of the source may be seen

  /// The places read so far; 0 for one that begin() did not make.
  Index length() const;
  /// The same for texts `rows` of these, in that order and as often as they stand there: what a
  /// beam search goes on with.
  DecoderCache of_rows(const IndexTensor& rows) const;
};

/// Causal self-attention, cross-attention to the source, then the feed-forward network: three
/// residual branches with a norm and a dropout each.
/// @code
/// KeySequence keys(1);
/// const DecoderLayer layer({.d_model = 8, .num_heads = 2}, Tensor(), keys);
/// DecoderLayerCache cache;
/// cache.source = layer.cross_attention.keys_values(ones({2, 7, 8}));
/// layer(ones({2, 3, 8}), cache, {.causal = true}, {}).shape();  // [2, 3, 8]
/// @endcode
struct DecoderLayer {
  Norm norm_1;                             ///< of the self-attention
  MultiHeadAttention self_attention;       ///< the first branch
  Norm norm_2;                             ///< of the cross-attention
  MultiHeadAttention cross_attention;      ///< the second: queries from here, the rest from there
  Norm norm_3;                             ///< of the feed-forward network
  FeedForward feed_forward;                ///< the third, which has its own dropout
  Dropout dropout;                         ///< of the first two branches
  NormPlace norm_place = NormPlace::kPre;  ///< where the norms stand

  DecoderLayer() = default;
  /// As the options say. `angles` is the rotary_table() of all layers, or undefined.
  DecoderLayer(const LayerOptions& options, const Tensor& angles, KeySequence& keys);
  /// x [B, T, C] and the cache of a source to y [B, T, C]; x's keys and values are added to the
  /// cache.
  Tensor operator()(const Tensor& x, DecoderLayerCache& cache, const AttentionOptions& self,
                    const AttentionOptions& cross) const;
  /// Names the members once: see module.h.
  void fields(auto&& f) {
    f("norm_1", norm_1);
    f("self_attention", self_attention);
    f("norm_2", norm_2);
    f("cross_attention", cross_attention);
    f("norm_3", norm_3);
    f("feed_forward", feed_forward);
  }
};

/// Positions, dropout, N layers and, if the norms stand before the branches, a final one.
/// @code
/// KeySequence keys(1);
/// const Decoder decoder({.d_model = 8, .num_heads = 2}, 3, keys);
/// decoder(ones({2, 5, 8}), ones({2, 7, 8})).shape();  // [2, 5, 8]
/// @endcode
struct Decoder {
  LayerOptions options;              ///< of its layers
  PositionalEncoding positions;      ///< of all layers
  std::vector<DecoderLayer> layers;  ///< N, the first reads the input
  Norm norm;                         ///< the final one; not used if the norms stand behind

  Decoder() = default;
  /// N layers as the options say.
  /// @throws std::invalid_argument if the options make no sense, or positions are kUnit: they need
  /// the length of the whole text, which is not known while it is written.
  Decoder(const LayerOptions& options, int n, KeySequence& keys);

  /// Embedded targets x [B, T, C] and the encoder's output [B, S, C] to y [B, T, C]. Place t sees
  /// targets up to t, always; `mask` (broadcast to [B, H, T, T]) hides more of them, `source_mask`
  /// ([B, H, T, S]) places of the source.
  Tensor operator()(const Tensor& x, const Tensor& source, const IndexTensor& mask = IndexTensor(),
                    const IndexTensor& source_mask = IndexTensor()) const;

  /// The cache of texts of which nothing is read but the source [B, S, C].
  DecoderCache begin(const Tensor& source, const IndexTensor& source_mask = IndexTensor()) const;
  /// Reads T more embedded targets [B, T, C]: y [B, T, C], equal to the last rows of what
  /// operator() gives for all of them. Under NoGrad, keys and values are added in place, in room
  /// that doubles as needed.
  /// @throws std::invalid_argument if the cache is not of as many layers.
  Tensor extend(const Tensor& x, DecoderCache& cache,
                const IndexTensor& mask = IndexTensor()) const;

  /// Names the members once: see module.h.
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

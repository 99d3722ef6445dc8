/// @file
/// The full transformer: an encoder that reads the source, and a decoder that generates the target.
///
/// Vaswani and others, "Attention is all you need", 2017; pre-norm by default. Shapes: B batch, S
/// source length, T target length, C = d_model, V target vocabulary.
#pragma once

#include "nn/layers/decoder.h"
#include "nn/layers/encoder.h"

namespace gradus {

/// @addtogroup models
/// @{

/// The sizes and parts of a Transformer.
/// @code
/// const TransformerConfig config{.src_vocab = 11, .trg_vocab = 13, .n_layer = 1};
/// Transformer(config).out.weight.shape();  // [512, 13]
/// @endcode
struct TransformerConfig {
  Index src_vocab = 0;      ///< the number of tokens of the source language
  Index trg_vocab = 0;      ///< V, the number of tokens of the target language
  int n_layer = 6;          ///< number of layers of the encoder, and of the decoder
  LayerOptions layer = {};  ///< the options of the layers

  /// Names each field as in config.json.
  void fields(auto&& f) {
    f("n_layer", n_layer);
    f("src_vocab", src_vocab);
    f("trg_vocab", trg_vocab);
    layer.fields(f);
  }
};

/// The full transformer: encoder, decoder and a linear layer to logits.
///
/// Embeddings start as N(0, 1). The paper's embeddings have the same size after its factor
/// \f$ \sqrt C \f$.
/// @code
/// const Transformer model(11, 13, 8, 1, 2);
/// model(indices({{1, 2, 3}}), indices({{4, 5}})).shape();  // [1, 2, 13]
/// @endcode
struct Transformer {
  TransformerConfig config;  ///< its sizes and parts
  Embedding src_embed;       ///< [src_vocab, C]
  Embedding trg_embed;       ///< [V, C]
  Encoder encoder;           ///< reads the source
  Decoder decoder;           ///< reads the target
  Linear out;                ///< [C, V]

  Transformer() = default;
  /// The same config and seed give the same parameters.
  /// @throws std::invalid_argument if the config is invalid.
  explicit Transformer(const TransformerConfig& config, std::uint64_t seed = 0);
  /// Makes a Transformer with these sizes and defaults for all other options.
  Transformer(Index src_vocab, Index trg_vocab, Index d_model, int n, int heads,
              std::uint64_t seed = 0);

  /// Logits of the next target token at each position: src [B, S] and trg [B, T] to [B, T, V].
  /// Target position t attends only to targets up to t. The masks hide padding: see padding_mask().
  /// src_mask broadcasts to [B, H, S, S] and to [B, H, T, S], trg_mask to [B, H, T, T].
  Tensor operator()(const IndexTensor& src, const IndexTensor& trg,
                    const IndexTensor& src_mask = IndexTensor(),
                    const IndexTensor& trg_mask = IndexTensor()) const;

  /// Runs the encoder: src [B, S] to [B, S, C].
  Tensor encode(const IndexTensor& src, const IndexTensor& src_mask = IndexTensor()) const;
  /// Reads T more target tokens [B, T] after the tokens in the cache (see Decoder::begin()) and
  /// returns the logits after each, [B, T, V].
  Tensor extend(const IndexTensor& trg, DecoderCache& cache,
                const IndexTensor& trg_mask = IndexTensor()) const;

  void fields(auto&& f) {
    f("src_embed", src_embed);
    f("trg_embed", trg_embed);
    f("encoder", encoder);
    f("decoder", decoder);
    f.outer("out", out);
  }
};

/// @}

}  // namespace gradus

/// @file
/// A recurrent encoder-decoder, with attention by any of the six alignment scores or without.
///
/// Cho and others, "Learning phrase representations using RNN encoder-decoder", 2014; Bahdanau, Cho
/// and Bengio, "Neural machine translation by jointly learning to align and translate", 2015.
/// Shapes: B batch, S source length, T target length, E channels of the embeddings, C hidden, V
/// vocabularies.
#pragma once

#include <optional>

#include "nn/layers/alignment.h"
#include "nn/layers/recurrent.h"

namespace gradus {

/// @addtogroup models
/// @{

/// The sizes of a RecurrentSeq2Seq.
/// @code
/// KeySequence keys(1);
/// const RecurrentSeq2SeqConfig config{.source_vocab = 11, .target_vocab = 13};
/// RecurrentSeq2Seq(config, keys).output.weight.shape();  // [128, 13]
/// @endcode
struct RecurrentSeq2SeqConfig {
  Index source_vocab = 0;                       ///< V of the source
  Index target_vocab = 0;                       ///< V of the target
  Index channels = 64;                          ///< E, the width of a token's vector
  Index hidden = 64;                            ///< C, of the encoder's states and the decoder's h
  RecurrentKind kind = RecurrentKind::kGru;     ///< of both sides
  bool bidirectional = true;                    ///< whether the source is read from its end too
  std::optional<AlignmentKind> alignment = {};  ///< none: the fixed vector carries the whole source
  Index longest = 0;                            ///< of kLocation: the longest source
};

/// Encodes a source as states and decodes a target step by step.
/// \f[ s_i = \mathrm{cell}(s_{i-1}, y_{i-1}, z_i), \qquad
/// z_i = \sum_j a_{ij}\,h_j, \qquad e_{ij} = \mathrm{score}(s_{i-1}, h_j) \f]
/// The logits of token i are computed from \f$ s_i \f$ and \f$ z_i \f$. With attention, a is the
/// softmax of the scores of the encoder's states h: see Alignment. Without, \f$ z_i \f$ is the
/// encoder's last state z at every step. The first state is \f$ s_0 = \tanh(z\,W + b) \f$. A
/// bidirectional encoder has C / 2 cells in each direction.
/// @code
/// KeySequence keys(1);
/// RecurrentSeq2SeqConfig config{.source_vocab = 11, .target_vocab = 13};
/// config.alignment = AlignmentKind::kGeneral;
/// const RecurrentSeq2Seq model(config, keys);
/// auto [logits, weights] = model(indices({{1, 2, 3}}), indices({{0, 5}}));
/// logits.shape();  // [1, 2, 13]
/// weights.shape();  // [1, 2, 3]
/// @endcode
struct RecurrentSeq2Seq {
  RecurrentSeq2SeqConfig config;           ///< its sizes
  Embedding source_embedding;              ///< [V, E]
  Embedding target_embedding;              ///< [V, E]
  std::vector<RecurrentLayer> directions;  ///< the encoder: forward and, if bidirectional, backward
  Linear bridge;                           ///< from the encoder's last state to \f$ s_0 \f$
  std::optional<Alignment> alignment;      ///< none for the fixed vector
  RecurrentLayer decoder;                  ///< from y
  Linear from_context;                     ///< from z of the same step: [C, gates C]
  Linear output;                           ///< [2 C, V], of s and z

  /// An encoded source.
  struct Encoded {
    Alignment::Source source;  ///< h, prepared; empty without attention
    Tensor last;               ///< [B, C]
    Tensor state;              ///< \f$ s_0 \f$
  };

  /// The predictions and the attention weights.
  struct Output {
    Tensor logits;   ///< [B, T, V]
    Tensor weights;  ///< a [B, T, S], undefined without attention
  };

  /// A generated target and its attention weights.
  struct Written {
    IndexTensor tokens;  ///< [B, T]
    Tensor weights;      ///< a [B, T, S], undefined without attention
  };

  RecurrentSeq2Seq() = default;
  /// @throws std::invalid_argument if hidden is odd and the encoder bidirectional, or `longest` is
  /// missing.
  RecurrentSeq2Seq(const RecurrentSeq2SeqConfig& config, KeySequence& keys);

  /// Encodes source [B, S]; positions where the mask [B, S] is 0 are skipped.
  Encoded encode(const IndexTensor& source, const IndexTensor& mask = {}) const;
  /// Teacher forcing: the logits of each next token of inputs [B, T], which begin with a start
  /// token.
  Output operator()(const IndexTensor& source, const IndexTensor& inputs,
                    const IndexTensor& mask = {}) const;
  /// Generates `length` tokens after `begin`, the most probable at each step. No gradient.
  Written greedy(const IndexTensor& source, std::int32_t begin, Index length,
                 const IndexTensor& mask = {}) const;

  void fields(auto&& f) {
    f("source_embedding", source_embedding);
    f("target_embedding", target_embedding);
    f("directions", directions);
    f("bridge", bridge);
    if (alignment) {
      f("alignment", *alignment);
    }
    f("decoder", decoder);
    f("from_context", from_context);
    f.outer("output", output);
  }

 private:
  /// One step of the decoder.
  struct Step {
    Tensor state;     ///< \f$ s_i \f$; in an LSTM, h followed by c
    Tensor features;  ///< h of \f$ s_i \f$, followed by \f$ z_i \f$, [B, 2 C]
    Tensor weights;   ///< \f$ a_i \f$ [B, S], with attention
  };
  Step step(const Tensor& from_input, const Tensor& state, const Encoded& encoded) const;
};

/// @}

}  // namespace gradus

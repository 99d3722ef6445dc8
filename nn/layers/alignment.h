/// @file
/// The scores by which a decoder's state selects among an encoder's states: attention before
/// transformers, as interchangeable parts.
///
/// Shapes: B batch, T target length, S source length, H width of the decoder's states s, C width of
/// the encoder's states h.
#pragma once

#include <array>

#include "autograd/index_tensor.h"
#include "nn/layers/layers.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// How well a state s matches a source state h: \f$ e_{ij} = \mathrm{score}(s_i, h_j) \f$.
enum class AlignmentKind {
  kCosine,     ///< \f$ \beta \cos(s, h) \f$, content-based: Graves and others, "Neural Turing
               ///< machines", 2014
  kAdditive,   ///< \f$ v^\top \tanh(W [s; h] + b) \f$: Bahdanau and others, 2015
  kLocation,   ///< \f$ (W s)_j \f$, independent of h: Luong and others, 2015
  kGeneral,    ///< \f$ s^\top W h \f$: Luong and others, 2015
  kDot,        ///< \f$ s^\top h \f$: Luong and others, 2015
  kScaledDot,  ///< \f$ s^\top h / \sqrt C \f$: Vaswani and others, 2017
};
/// Their names in files and flags.
constexpr std::array<const char*, 6> names_of(AlignmentKind) {
  return {"cosine", "additive", "location", "general", "dot", "scaled_dot"};
}

/// Alignment by one of the six scores: weights, and the context vector that they average.
/// \f[ a_{ij} = \frac{\exp e_{ij}}{\sum_k \exp e_{ik}}, \qquad z_i = \sum_j a_{ij}\,h_j \f]
///
/// For the cosine, \f$ \beta \f$ is Graves' key strength: without it every score would be in
/// [-1, 1], and no weight would be more than \f$ e^2 \f$ times another. Here it is one learned
/// number, kept as \f$ \ln \beta \f$.
/// @code
/// KeySequence keys(1);
/// const Alignment align(AlignmentKind::kGeneral, {.state = 3, .source = 2}, keys);
/// auto [weights, context] = align(zeros({1, 1, 3}), tensor({{{1, 2}, {3, 4}}}));
/// weights;  // [[[0.5, 0.5]]]
/// context;  // [[[2, 3]]]
/// @endcode
struct Alignment {
  AlignmentKind kind = AlignmentKind::kDot;  ///< which score
  Linear state;                              ///< W of s: [H, A], [H, longest] or [H, C]
  Linear source;                             ///< W of h: [C, A], of kAdditive
  Linear v;                                  ///< [A, 1], of kAdditive
  Tensor log_beta;                           ///< \f$ \ln \beta \f$ [], of kCosine

  /// The widths of states, source and hidden layer.
  struct Sizes {
    Index state = 0;    ///< H, the width of the target's states
    Index source = 0;   ///< C, the width of the source's states
    Index hidden = 0;   ///< A, of kAdditive; 0 means H
    Index longest = 0;  ///< of kLocation: the longest source allowed
  };

  /// A source, with everything that each score needs to compute only once for it.
  struct Source {
    Tensor states;     ///< h [B, S, C]
    Tensor keys;       ///< what scores compare s with
    IndexTensor mask;  ///< [B, 1, S]: positions to attend to; undefined for all
  };

  /// How the targets attend to the source; without the T axis if s has none.
  struct Aligned {
    Tensor weights;  ///< a [B, T, S]
    Tensor context;  ///< z [B, T, C]
  };

  Alignment() = default;
  /// @throws std::invalid_argument if H and C differ for a score that multiplies s and h, or
  /// `longest` is missing where it is needed.
  Alignment(AlignmentKind kind, const Sizes& sizes, KeySequence& keys);

  /// Prepares h [B, S, C]; positions where the mask [B, S] is 0 get weight 0.
  /// @throws std::invalid_argument if the mask does not fit.
  Source prepare(const Tensor& h, const IndexTensor& mask = {}) const;
  /// The scores e [B, T, S] of s [B, T, H], before the mask.
  /// @throws std::invalid_argument if the source is longer than `longest`.
  Tensor scores(const Tensor& s, const Source& source) const;
  /// Aligns s [B, T, H] or [B, H] with this source.
  Aligned operator()(const Tensor& s, const Source& source) const;
  /// The same for a source that is used once.
  Aligned operator()(const Tensor& s, const Tensor& h, const IndexTensor& mask = {}) const {
    return (*this)(s, prepare(h, mask));
  }

  void fields(auto&& f) {
    f("state", state);
    f("source", source);
    f("v", v);
    f("log_beta", log_beta);
  }
};

/// @}

}  // namespace gradus

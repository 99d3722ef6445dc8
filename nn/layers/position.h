/// @file
/// Positional encodings: many kinds with one interface.
///
/// Attention alone ignores order. Position enters in one of three ways: vectors added to the
/// embeddings, a bias added to the attention scores, or a rotation of queries and keys. Shapes: B
/// batch, T time (of queries), S time (of keys), C channels, H heads.
#pragma once

#include <array>

#include "autograd/index_tensor.h"
#include "nn/layers/rotary_options.h"
#include "nn/mode.h"
#include "nn/module.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// Kinds of positional encoding.
enum class Position {
  kNone,          ///< none
  kInteger,       ///< the position is added to channel 0
  kUnit,          ///< the position as a share of the length, in [0, 1], is added to channel 0;
                  ///< not for a GPT or decoder, which start before the length is known
  kBinary,        ///< the bits of the position are added, the lowest to channel 0
  kSinusoidal,    ///< sinusoidal_table() is added
  kConcatenated,  ///< concatenated_sinusoidal_table() is added
  kLearned,       ///< a learned vector per position is added, as in GPT-2 and BERT
  kRelative,      ///< a learned bias per distance; all distances beyond a limit share one bias
  kBuckets,       ///< a learned bias per bucket of distances, as in T5
  kAlibi,         ///< a bias that falls linearly with distance, with a slope per head; the same
                  ///< in both directions, so that an encoder cannot tell before from after
  kRotary,        ///< queries and keys are rotated: see rotary()
};
/// The names of the values in files and flags.
constexpr std::array<const char*, 11> names_of(Position) {
  return {"none",    "integer",  "unit", "binary", "sinusoidal", "concatenated",
          "learned", "relative", "t5",   "alibi",  "rotary"};
}

/// \f$ p_{t,0} = t \f$, and 0 in the other channels: [positions, channels]. The values are
/// unbounded, so that large positions hide the token. A position in every channel would have no
/// effect, since layer norm removes a value that all channels share.
Tensor integer_table(Index positions, Index channels);

/// \f$ p_{t,0} = t / (n - 1) \f$ for n positions, and 0 in the other channels: [positions,
/// channels]. The values are bounded, but the same distance has different values in texts of
/// different lengths.
Tensor unit_table(Index positions, Index channels);

/// \f$ p_{t,i} = \lfloor t / 2^i \rfloor \bmod 2 \f$, bit i of t: [positions, channels]. The values
/// are bounded, and each position has a different vector if there are enough channels for its bits.
Tensor binary_table(Index positions, Index channels);

/// Sines and cosines of the position, [positions, channels].
/// \f[ p_{t,2k} = \sin(t f_k), \qquad p_{t,2k+1} = \cos(t f_k), \qquad
/// f_k = \mathrm{base}^{-2k / C} \f]
/// Vaswani and others, "Attention is all you need", 2017. Some sources print
/// \f$ t / \mathrm{base} \cdot 2k / C \f$ for \f$ t / \mathrm{base}^{2k / C} \f$: a misprint.
/// @throws std::invalid_argument if channels is odd.
Tensor sinusoidal_table(Index positions, Index channels, double base = 10000);

/// The columns of sinusoidal_table() in another order, [positions, channels], as in the original
/// code: all sines, then all cosines.
/// \f[ p_{t,k} = \sin(t f_k), \qquad p_{t,C/2+k} = \cos(t f_k) \f]
/// @throws std::invalid_argument if channels is odd.
Tensor concatenated_sinusoidal_table(Index positions, Index channels, double base = 10000);

/// The distances s - t from query t to key s, clipped to [-limit, limit], plus limit: integers from
/// 0 to 2 limit, [T, S] with T = `queries` and S = `keys`. The queries are the last T of the S
/// positions. Shaw, Uszkoreit and Vaswani, "Self-attention with relative position representations",
/// 2018.
IndexTensor clipped_distances(Index queries, Index keys, Index limit);

/// The numbers of T5's buckets of distances, [T, S]. Each small distance has its own bucket; larger
/// distances share buckets whose width grows with the distance, up to max_distance. With
/// `both_ways`, half of the buckets are for later keys; otherwise later keys count as distance 0.
/// The queries are the last T of the S positions. Raffel and others, "Exploring the limits of
/// transfer learning", 2020.
IndexTensor distance_buckets(Index queries, Index keys, bool both_ways, Index buckets = 32,
                             Index max_distance = 128);

/// ALiBi's slopes, [H]: \f$ m_h = 2^{-8h / H} \f$ for h = 1 to H if H is a power of two. Otherwise,
/// the slopes of the next lower power of two, followed by every other slope of the next higher one.
/// Press, Smith and Lewis, "Train short, test long", 2022.
Tensor alibi_slopes(int heads);

/// ALiBi's bias \f$ -m_h\,|t - s| \f$, [H, T, S]; the queries are the last T of the S positions.
Tensor alibi_bias(int heads, Index queries, Index keys);

/// Looks up a bias in a table: numbers [T, S] of distances or buckets and table [N, H] to [H, T,
/// S].
Tensor distance_bias(const IndexTensor& numbers, const Tensor& table);

/// The options of a positional encoding.
/// @code
/// const PositionOptions options{.kind = Position::kLearned, .max_length = 16, .channels = 8};
/// parameter_count(options);  // 128
/// @endcode
struct PositionOptions {
  Position kind = Position::kSinusoidal;  ///< the kind
  Index max_length = 0;       ///< the largest number of positions, for kinds with a limit
  Index channels = 0;         ///< C, the width of a position's vector
  int heads = 1;              ///< H, the number of heads, for a bias
  bool both_ways = true;      ///< whether a query may attend to later keys
  Scalar scale = 1;           ///< standard deviation of new learned vectors; factor on fixed ones
  Index limit = 32;           ///< the largest distance that kRelative distinguishes
  Index head_width = 0;       ///< D, the width of a head that kRotary rotates; 0: C / H
  RotaryOptions rotary = {};  ///< the frequencies of kRotary

  /// D, the width of a head that kRotary rotates.
  Index width() const { return head_width > 0 ? head_width : channels / heads; }
};

/// The number of parameters of a PositionalEncoding with these options.
Index parameter_count(const PositionOptions& options);

/// A positional encoding with its parameters. The layers of a stack share one encoding.
/// @code
/// KeySequence keys(1);
/// const PositionalEncoding alibi({.kind = Position::kAlibi, .heads = 1}, keys);
/// alibi.bias(1, 3);  // [[[-0.0078, -0.0039, 0]]]
/// @endcode
struct PositionalEncoding {
  PositionOptions options;  ///< as passed to the constructor
  Tensor weight;            ///< [max_length, C], learned vectors, or undefined
  Tensor distances;         ///< [distances or buckets, H], a learned bias, or undefined
  Tensor table;             ///< [max_length, C], fixed vectors, or undefined
  Tensor angles;            ///< the rotary_table() for attention layers, or undefined

  PositionalEncoding() = default;
  /// A learned bias starts as 0.
  /// @throws std::invalid_argument if an option is out of range, if the channels are odd for
  /// sinusoids, or if the channels of a head are odd for kRotary.
  PositionalEncoding(const PositionOptions& options, KeySequence& keys);

  /// Adds the vectors of positions `first` to `first` + T - 1 to x [B, T, C], if this kind has
  /// vectors; the same shape. kNone, kUnit and the kinds that depend only on distance (kRelative,
  /// kBuckets, kAlibi) accept texts of any length.
  /// @throws std::invalid_argument if x is not [B, T, C] or, for the other kinds, if the text is
  /// longer than max_length.
  Tensor embed(const Tensor& x, Index first = 0) const;

  /// Returns the rotary_table() for a text of this many positions; undefined if this kind has none.
  Tensor angles_for(Index positions) const;

  /// Returns the bias to add to the scores, [H, T, S]. The queries are the last T of S positions.
  /// Undefined if this kind has no bias.
  Tensor bias(Index queries, Index keys) const;

  void fields(auto&& f) {
    f.outer("weight", weight);
    f.outer("distances", distances);
  }
};

/// @}

}  // namespace gradus

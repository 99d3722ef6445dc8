/// @file
/// How a model knows where a token stands: every known way behind one interface.
///
/// Attention alone is blind to order. Positions enter in one of three ways: vectors added to the
/// embeddings, a bias added to the attention scores, or a rotation of queries and keys. Shapes: B
/// batch, T time (of queries), S time (of keys), C channels, H heads.
#pragma once

#include <array>

#include "autograd/index_tensor.h"
#include "nn/module.h"
#include "nn/training.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// Kinds of positional encoding.
enum class Position {
  kNone,          ///< not at all
  kInteger,       ///< the number of the place is added to channel 0
  kUnit,          ///< the place as a share of the text's length, in [0, 1], is added to channel 0;
                  ///< not in a GPT or decoder, which begin before they know the length
  kBinary,        ///< the bits of the number are added, the lowest to channel 0
  kSinusoidal,    ///< sinusoidal_table() is added
  kConcatenated,  ///< concatenated_sinusoidal_table() is added
  kLearned,       ///< a learned vector for each place is added, as in GPT-2 and BERT
  kRelative,      ///< a learned bias for each distance, distances beyond a limit counting as it
  kBuckets,       ///< a learned bias for each bucket of distances, as in T5
  kAlibi,         ///< a bias that falls with the distance, for each head at its rate; the same
                  ///< before and after, so that an encoder cannot tell these apart
  kRotary,        ///< queries and keys are turned: see rotary()
};
/// Their names in files and flags.
constexpr std::array<const char*, 11> names_of(Position) {
  return {"none",    "integer",  "unit", "binary", "sinusoidal", "concatenated",
          "learned", "relative", "t5",   "alibi",  "rotary"};
}

/// p_t[0] = t, and 0 in the other channels: [positions, channels]. Unbounded, so that far places
/// drown the token. In every channel it would be invisible: layer norm takes out what all share.
Tensor integer_table(Index positions, Index channels);

/// p_t[0] = t / (positions - 1), and 0 in the other channels: bounded, but the same distance
/// differs between lengths. [positions, channels].
Tensor unit_table(Index positions, Index channels);

/// p_t[i] = bit i of t: bounded and unique while the bits suffice. [positions, channels].
Tensor binary_table(Index positions, Index channels);

/// p_t[2k] = sin(w_k t), p_t[2k + 1] = cos(w_k t) with w_k = base^(-2k / C): [positions, channels].
/// Vaswani and others, "Attention is all you need", 2017.
///
/// Some sources print t / base * 2k / C in place of t / base^(2k / C): that is a misprint.
/// @throws std::invalid_argument if channels is odd.
Tensor sinusoidal_table(Index positions, Index channels, double base = 10000);

/// The same columns in another order: all sines, then all cosines, as the first code did it.
/// p_t[k] = sin(w_k t), p_t[C / 2 + k] = cos(w_k t).
/// @throws std::invalid_argument if channels is odd.
Tensor concatenated_sinusoidal_table(Index positions, Index channels, double base = 10000);

/// The distance s - t from query t to key s, held within [-limit, limit], plus limit: numbers from
/// 0 to 2 limit, [T, S]. The queries are the last T of the S places. Shaw, Uszkoreit and Vaswani,
/// "Self-attention with relative position representations", 2018.
IndexTensor clipped_distances(Index queries, Index keys, Index limit);

/// T5's buckets of distances, [T, S]: near ones have a bucket each, farther ones share by the
/// logarithm of the distance, up to max_distance. With `both_ways`, half of the buckets are for
/// keys that come later; else those count as distance 0. The queries are the last T of the S
/// places. Raffel and others, "Exploring the limits of transfer learning", 2020.
IndexTensor distance_buckets(Index queries, Index keys, bool both_ways, Index buckets = 32,
                             Index max_distance = 128);

/// ALiBi's rates, [H]: 2^(-8 h / H) for h = 1 to H where H is a power of two, and those of the next
/// lower power with every other one of the next higher in between where it is not. Press, Smith and
/// Lewis, "Train short, test long", 2022.
Tensor alibi_slopes(int heads);

/// ALiBi's bias -slope_h |t - s|, [H, T, S]; the queries are the last T of the S places.
Tensor alibi_bias(int heads, Index queries, Index keys);

/// A bias from a table of distances: numbers [T, S] and table [N, H] to [H, T, S].
Tensor distance_bias(const IndexTensor& numbers, const Tensor& table);

/// What a PositionalEncoding is made for.
/// @code
/// const PositionOptions options{.kind = Position::kLearned, .max_length = 16, .channels = 8};
/// parameter_count(options);  // 128
/// @endcode
struct PositionOptions {
  Position kind = Position::kSinusoidal;  ///< the way
  Index max_length = 0;                   ///< the longest text, where places have numbers
  Index channels = 0;                     ///< C, the width of a place's vector
  int heads = 1;                          ///< H, the heads that a bias is for
  bool both_ways = true;                  ///< whether a query may see keys that come later
  Scalar scale =
      1;  ///< the spread that learned vectors start with; what fixed ones are multiplied by
  Index limit = 32;  ///< the largest distance that kRelative tells apart
};

/// The number of parameters of a PositionalEncoding of these options.
Index parameter_count(const PositionOptions& options);

/// One way to tell places apart, with what it learns. A stack of layers shares one of these.
/// @code
/// KeySequence keys(1);
/// const PositionalEncoding alibi({.kind = Position::kAlibi, .heads = 1}, keys);
/// alibi.bias(1, 3);  // [[[-0.0078, -0.0039, 0]]]
/// @endcode
struct PositionalEncoding {
  PositionOptions options;  ///< what it was made for
  Tensor weight;            ///< [max_length, C], learned vectors, else undefined
  Tensor distances;         ///< [distances or buckets, H], a learned bias, else undefined
  Tensor table;             ///< [max_length, C], fixed vectors, else undefined
  Tensor angles;            ///< the rotary_table() that attention layers turn by, else undefined

  PositionalEncoding() = default;
  /// A learned bias starts as 0.
  /// @throws std::invalid_argument if the channels of a head are odd for kRotary, or all channels
  /// for sinusoids.
  PositionalEncoding(const PositionOptions& options, KeySequence& keys);

  /// Adds the vectors of places `first` to `first` + T - 1, if this way has vectors: x [B, T, C] to
  /// the same shape. Ways that go by the distance alone (kRelative, kBuckets, kAlibi), kNone and
  /// kUnit take texts of any length.
  /// @throws std::invalid_argument if the text is longer than max_length, for the others.
  Tensor embed(const Tensor& x, Index first = 0) const;

  /// What to add to the scores, [H, T, S], the queries being the last T of S places; undefined if
  /// this way has no bias.
  Tensor bias(Index queries, Index keys) const;

  /// Names the members once: see module.h.
  void fields(auto&& f) {
    f.outer("weight", weight);
    f.outer("distances", distances);
  }
};

/// @}

}  // namespace gradus

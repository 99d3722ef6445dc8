//! [12 sinusoid]
// How a model gets the order of tokens.
#pragma once

#include "attention.h"

namespace pocket {

/// The angle of position t in pair k of C channels: t base^(-2k / C).
inline double angle(Index t, Index k, Index channels, double base) {
  return double(t) * std::pow(base, -2.0 * double(k) / double(channels));
}

/// p_t[2k] = sin(w_k t), p_t[2k + 1] = cos(w_k t), w_k = base^(-2k / C): [positions, channels].
inline Tensor sinusoidal_table(Index positions, Index channels, double base = 10000) {
  //! [12.1]
  std::vector<Scalar> values;
  for (Index i = 0; i < positions * channels; ++i) {
    const double a = angle(i / channels, i % channels / 2, channels, base);
    values.push_back(Scalar(i % 2 == 0 ? std::sin(a) : std::cos(a)));
  }
  return tensor({positions, channels}, values);
  //! [12.1]
}
//! [12 sinusoid]

//! [13 by_distance]
/// A table [T, S] of number(s - t). The queries are the last T of the S positions.
inline IndexTensor by_distance(Index queries, Index keys, const auto& number) {
  std::vector<std::int32_t> numbers;
  for (Index i = 0; i < queries * keys; ++i) {
    const Index t = i / keys + keys - queries, s = i % keys;
    numbers.push_back(static_cast<std::int32_t>(number(s - t)));
  }
  return IndexTensor({queries, keys}, numbers);
}
//! [13 by_distance]

//! [13 buckets]
/// T5's buckets: each near distance has its own, far distances share buckets of growing width.
/// `both_ways` keeps the second half of the buckets for later keys.
inline IndexTensor distance_buckets(Index queries, Index keys, bool both_ways, Index buckets = 32,
                                    Index max_distance = 128) {
  //! [13.1]
  const Index side = both_ways ? buckets / 2 : buckets, exact = side / 2;
  return by_distance(queries, keys, [=](Index offset) {
    const Index away = both_ways ? std::abs(offset) : std::max<Index>(-offset, 0);
    const Index later = both_ways && offset > 0 ? side : 0;
    if (away < exact) return later + away;
    const double share = std::log(double(away) / exact) / std::log(double(max_distance) / exact);
    return later + std::min(exact + Index(share * double(side - exact)), side - 1);
  });
  //! [13.1]
}

/// A bias for each head, looked up by distance: numbers [T, S], table [N, H] to [H, T, S].
inline Tensor distance_bias(const IndexTensor& numbers, const Tensor& table) {
  return permute(embedding(numbers, table), {2, 0, 1});
}
//! [13 buckets]

//! [13 alibi]
/// ALiBi: -2^(-8 h / H) |t - s| for heads h = 1 to H, [H, T, S].
inline Tensor alibi_bias(int heads, Index queries, Index keys) {
  //! [13.2]
  std::vector<Scalar> values;
  for (int h = 1; h <= heads; ++h) {
    for (const Index d : by_distance(queries, keys, [](Index d) { return std::abs(d); })) {
      values.push_back(Scalar(-std::exp2(-8.0 * h / heads) * double(d)));
    }
  }
  return tensor({heads, queries, keys}, values);
  //! [13.2]
}
//! [13 alibi]

//! [13 rotary]
/// Row t holds the cosines, then the sines, of position t's D / 2 angles: [positions, D].
inline Tensor rotary_table(Index positions, Index width, double base = 10000) {
  std::vector<Scalar> values;
  for (Index at = 0; at < positions * width; ++at) {
    const Index channel = at % width, half = width / 2, pair = channel % half;
    const double a = angle(at / width, pair, width, base);
    values.push_back(Scalar(channel < half ? std::cos(a) : std::sin(a)));
  }
  return tensor({positions, width}, values);
}

/// Rotates channels i and i + D / 2 of x [..., T, D] by the angle of pair i at the row's position.
/// Row 0 of x has position `first`. Dot products of queries and keys then depend on s - t.
inline Tensor rotary(const Tensor& x, const Tensor& table, Index first = 0) {
  //! [13.3]
  const std::vector<Tensor> half = split(x, 2, -1);
  const auto rows = split(slice(table, 0, first, first + x.size(-2)), 2, -1);
  const Tensor &cos = rows[0], &sin = rows[1];
  return concat({half[0] * cos - half[1] * sin, half[0] * sin + half[1] * cos}, -1);
  //! [13.3]
}
//! [13 rotary]

//! [13 PositionalEncoding]
enum class Position { kNone, kSinusoidal, kLearned, kBuckets, kAlibi, kRotary };

struct PositionOptions {
  Position kind = Position::kSinusoidal;
  Index max_length = 0, channels = 0;  // of vectors: the longest text, and C
  int heads = 1;                       // of a bias
  bool both_ways = true;               // whether a query may attend to later keys
};

/// Vectors are added to the embeddings, a bias to the scores. Attention itself does the rotation.
struct PositionalEncoding {
  PositionalEncoding() = default;
  PositionalEncoding(const PositionOptions& options, KeySequence& keys) : options(options) {
    const auto& [kind, length, channels, heads, both_ways] = options;
    if (kind == Position::kSinusoidal) table = sinusoidal_table(length, channels);
    if (kind == Position::kLearned) {
      weight = normal({length, channels}, keys.next(), 0, Scalar(0.1)).set_requires_grad();
    }
    if (kind == Position::kBuckets) distances = zeros({32, heads}).set_requires_grad();
  }
  /// Adds the vectors of positions `first` to first + T - 1 to x [B, T, C].
  Tensor embed(const Tensor& x, Index first = 0) const {
    const Tensor& vectors = weight.defined() ? weight : table;
    return vectors.defined() ? x + slice(vectors, 0, first, first + x.size(1)) : x;
  }
  Tensor bias(Index queries, Index keys) const {
    if (options.kind == Position::kAlibi) return alibi_bias(options.heads, queries, keys);
    if (options.kind != Position::kBuckets) return Tensor();
    return distance_bias(distance_buckets(queries, keys, options.both_ways), distances);
  }
  void fields(auto&& f) { f("weight", weight), f("distances", distances); }
  PositionOptions options;
  Tensor weight, distances, table;  // the table is fixed, not learned
};
//! [13 PositionalEncoding]

//! [12 end]
}  // namespace pocket
//! [12 end]

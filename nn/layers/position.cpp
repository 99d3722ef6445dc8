#include "nn/layers/position.h"

#include <algorithm>
#include <cmath>

#include "autograd/check.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/random.h"
#include "autograd/ops/rotary.h"
#include "autograd/ops/shape.h"

namespace gradus {
using namespace detail;
namespace {

/// The table [positions, channels] with entries number(t, i).
template <class Number>
Tensor table_of(Index positions, Index channels, Number number) {
  Tensor table(Shape{positions, channels});
  for (Index t = 0; t < positions; ++t) {
    for (Index i = 0; i < channels; ++i) {
      table.mutable_data()[t * channels + i] = static_cast<Scalar>(number(t, i));
    }
  }
  return table;
}

/// w_k t with w_k = base^(-2k / C).
double angle(Index t, Index k, Index channels, double base) {
  const double exponent = -2.0 * static_cast<double>(k) / static_cast<double>(channels);
  return static_cast<double>(t) * std::pow(base, exponent);
}

void check_base(const char* what, double base) {
  check(base > 0 && std::isfinite(base), what, ": base must be above 0 and finite, got ", base,
        " (10000 is usual)");
}

void check_even(const char* what, Index channels) {
  check(channels % 2 == 0, what, ": sines and cosines come in pairs, got ", channels,
        " channels (choose an even number)");
}

/// The matrix [T, S] with entries number(s - t). The queries are the last T of S positions.
template <class Number>
IndexTensor by_distance(Index queries, Index keys, Number number) {
  IndexTensor numbers(Shape{queries, keys});
  for (Index t = 0; t < queries; ++t) {
    for (Index s = 0; s < keys; ++s) {
      numbers.mutable_data()[t * keys + s] =
          static_cast<std::int32_t>(number(s - (t + keys - queries)));
    }
  }
  return numbers;
}

/// Whether the encoding has entries for max_length positions only.
bool is_numbered(Position kind) {
  switch (kind) {
    case Position::kNone:
    case Position::kUnit:
    case Position::kRelative:
    case Position::kBuckets:
    case Position::kAlibi:
      return false;
    default:
      return true;
  }
}

constexpr Index kBuckets = 32;
constexpr Index kMostDistance = INT32_MAX / 2;  // entries go up to twice this

/// The number of distances, or of buckets of distances, that have a bias.
Index distances_of(const PositionOptions& options) {
  return options.kind == Position::kRelative  ? 2 * options.limit + 1
         : options.kind == Position::kBuckets ? kBuckets
                                              : 0;
}

}  // namespace

Tensor integer_table(Index positions, Index channels) {
  return table_of(positions, channels, [](Index t, Index i) { return i == 0 ? t : 0; });
}

Tensor unit_table(Index positions, Index channels) {
  const double last = static_cast<double>(std::max<Index>(positions - 1, 1));
  return table_of(positions, channels,
                  [=](Index t, Index i) { return i == 0 ? static_cast<double>(t) / last : 0; });
}

Tensor binary_table(Index positions, Index channels) {
  return table_of(positions, channels, [](Index t, Index i) { return i < 63 ? t >> i & 1 : 0; });
}

Tensor sinusoidal_table(Index positions, Index channels, double base) {
  check_even("sinusoidal_table", channels);
  check_base("sinusoidal_table", base);
  return table_of(positions, channels, [=](Index t, Index i) {
    const double a = angle(t, i / 2, channels, base);
    return i % 2 == 0 ? std::sin(a) : std::cos(a);
  });
}

Tensor concatenated_sinusoidal_table(Index positions, Index channels, double base) {
  check_even("concatenated_sinusoidal_table", channels);
  check_base("concatenated_sinusoidal_table", base);
  const Index half = channels / 2;
  return table_of(positions, channels, [=](Index t, Index i) {
    const double a = angle(t, i % half, channels, base);
    return i < half ? std::sin(a) : std::cos(a);
  });
}

IndexTensor clipped_distances(Index queries, Index keys, Index limit) {
  check(limit >= 0 && limit <= kMostDistance, "clipped_distances: limit must be in [0, ",
        kMostDistance, "], got ", limit);
  return by_distance(queries, keys,
                     [=](Index distance) { return std::clamp(distance, -limit, limit) + limit; });
}

IndexTensor distance_buckets(Index queries, Index keys, bool both_ways, Index buckets,
                             Index max_distance) {
  const Index side = both_ways ? buckets / 2 : buckets;  // buckets for one direction
  const Index exact = side / 2;                          // buckets that hold a single distance
  check(exact >= 1, "distance_buckets: needs at least ", both_ways ? 4 : 2, " buckets, got ",
        buckets);
  check(max_distance > exact, "distance_buckets: max_distance must be above ", exact, " for ",
        buckets, " buckets, got ", max_distance);
  const auto log_of = [exact](Index distance) {
    return std::log(static_cast<double>(distance) / static_cast<double>(exact));
  };
  return by_distance(queries, keys, [=](Index distance) {
    const Index away = both_ways ? std::abs(distance) : std::max<Index>(-distance, 0);
    const Index later = both_ways && distance > 0 ? side : 0;
    if (away < exact) {
      return later + away;
    }
    const double share = log_of(away) / log_of(max_distance);
    const auto beyond = static_cast<Index>(share * static_cast<double>(side - exact));
    return later + std::min(exact + beyond, side - 1);
  });
}

Tensor alibi_slopes(int heads) {
  check(heads >= 1, "alibi_slopes: needs at least 1 head, got ", heads);
  Index power = 1;
  while (power * 2 <= heads) {
    power *= 2;
  }
  Tensor slopes(Shape{heads});
  for (int h = 0; h < heads; ++h) {
    const double exponent =
        h < power ? (h + 1.0) / static_cast<double>(power)
                  : static_cast<double>(2 * (h - power) + 1) / static_cast<double>(2 * power);
    slopes.mutable_data()[h] = static_cast<Scalar>(std::exp2(-8 * exponent));
  }
  return slopes;
}

Tensor alibi_bias(int heads, Index queries, Index keys) {
  const Tensor slopes = alibi_slopes(heads);
  Tensor bias(Shape{heads, queries, keys});
  Scalar* at = bias.mutable_data();
  for (const Scalar slope : slopes) {
    for (Index t = 0; t < queries; ++t) {
      for (Index s = 0; s < keys; ++s) {
        *at++ = -slope * static_cast<Scalar>(std::abs(t + keys - queries - s));
      }
    }
  }
  return bias;
}

Tensor distance_bias(const IndexTensor& numbers, const Tensor& table) {
  return permute(embedding(numbers, table), {2, 0, 1});
}

Index parameter_count(const PositionOptions& options) {
  const Index vectors = options.kind == Position::kLearned ? options.max_length : 0;
  return vectors * options.channels + distances_of(options) * options.heads;
}

PositionalEncoding::PositionalEncoding(const PositionOptions& given, KeySequence& keys)
    : options(given) {
  const Index length = options.max_length, channels = options.channels;
  check(length >= 0 && channels >= 0 && options.heads >= 1,
        "PositionalEncoding: max_length and channels must not be negative, and heads at least 1, "
        "got ",
        length, ", ", channels, " and ", options.heads);
  check(options.limit >= 0 && options.limit <= kMostDistance,
        "PositionalEncoding: limit must be in [0, ", kMostDistance, "], got ", options.limit);
  check(std::isfinite(options.scale), "PositionalEncoding: scale must be finite, got ",
        options.scale);
  switch (options.kind) {
    case Position::kInteger:
      table = integer_table(length, channels);
      break;
    case Position::kBinary:
      table = binary_table(length, channels);
      break;
    case Position::kSinusoidal:
      table = sinusoidal_table(length, channels);
      break;
    case Position::kConcatenated:
      table = concatenated_sinusoidal_table(length, channels);
      break;
    case Position::kLearned:
      weight = normal({length, channels}, keys.next(), 0, options.scale).set_requires_grad();
      break;
    case Position::kRelative:
    case Position::kBuckets:
      distances = zeros({distances_of(options), options.heads}).set_requires_grad();
      break;
    case Position::kRotary:
      angles =
          rotary_table(options.rotary.changes_at(length) ? options.rotary.trained_length : length,
                       options.width(), options.rotary);
      break;
    case Position::kNone:
    case Position::kUnit:   // its table depends on the text's length
    case Position::kAlibi:  // needs no table
      break;
  }
  if (table.defined()) {
    table = table * options.scale;
  }
}

Tensor PositionalEncoding::embed(const Tensor& x, Index first) const {
  check(x.rank() == 3 && first >= 0 && first <= kMostDistance,
        "positions: needs x [B, T, C] and a first position in [0, ", kMostDistance, "], got ",
        x.shape(), " and ", first);
  const Index end = first + x.size(1);
  if (options.kind == Position::kUnit) {
    return x + slice(unit_table(end, options.channels) * options.scale, 0, first);
  }
  if (!is_numbered(options.kind)) {
    return x;
  }
  const Tensor& vectors = weight.defined() ? weight : table;
  require_made("PositionalEncoding", vectors.defined() || angles.defined());
  check(end <= options.max_length, "positions: the text has ", end,
        " positions, but the encoding has ", options.max_length,
        " (choose a larger max_length, or relative, t5 or alibi, which need none)");
  return vectors.defined() ? x + slice(vectors, 0, first, end) : x;
}

Tensor PositionalEncoding::angles_for(Index positions) const {
  return angles.defined() && options.rotary.changes_at(positions)
             ? rotary_table(positions, options.width(), options.rotary)
             : angles;
}

Tensor PositionalEncoding::bias(Index queries, Index keys) const {
  switch (options.kind) {
    case Position::kRelative:
      return distance_bias(clipped_distances(queries, keys, options.limit), distances);
    case Position::kBuckets:
      return distance_bias(distance_buckets(queries, keys, options.both_ways, kBuckets), distances);
    case Position::kAlibi:
      return alibi_bias(options.heads, queries, keys);
    default:
      return Tensor();
  }
}

}  // namespace gradus

#include "autograd/ops/rotary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "autograd/check.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/heads.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/two_paths.h"

namespace gradus {
using namespace detail;
namespace {

/// The direction of a rotation: the table's angles, or their negatives.
enum class Turn { kForwards, kBackwards };

/// y = x rotated with one row of the table.
void turn_row(const Scalar* x, const Scalar* table, Turn turn, Index width, Scalar* y) {
  const Index half = width / 2;
  const Scalar sign = turn == Turn::kForwards ? Scalar(1) : Scalar(-1);
#pragma omp simd
  for (Index i = 0; i < half; ++i) {
    const Scalar a = x[i];
    const Scalar b = x[half + i];
    const Scalar cosine = table[i];
    const Scalar sine = sign * table[half + i];
    y[i] = a * cosine - b * sine;
    y[half + i] = a * sine + b * cosine;
  }
}

void check_table(const char* op, const Tensor& table, Index width, Index first, Index time) {
  check(table.rank() == 2 && table.size(1) == width && width % 2 == 0, op, ": needs a table [..., ",
        width, "], of even width, got ", table.shape());
  check(first >= 0 && first <= table.size(0) - time, op, ": the table has rows for ", table.size(0),
        " positions, got ", time, " from position ", first, " on (make a longer table)");
}

/// x [..., T, C] with its first `heads` groups of channels rotated, each as wide as the table. The
/// gradient is the same op in the other direction.
Tensor turned(const char* op, const Tensor& x, const Tensor& table, Index first, Index heads,
              Turn turn) {
  const Index time = x.size(-2), channels = x.size(-1), width = table.size(1);
  Tensor y(x.shape());
  if (x.size() > 0) {
    parallel_for(x.size() / channels, row_grain(channels),
                 [&, out = y.mutable_data()](Index begin, Index end) {
                   for (Index row = begin; row < end; ++row) {
                     const Scalar* angles = table.data() + (first + row % time) * width;
                     const Scalar* from = x.data() + row * channels;
                     Scalar* to = out + row * channels;
                     for (Index head = 0; head < heads; ++head) {
                       turn_row(from + head * width, angles, turn, width, to + head * width);
                     }
                     std::copy(from + heads * width, from + channels, to + heads * width);
                   }
                 });
  }
  const Turn back = turn == Turn::kForwards ? Turn::kBackwards : Turn::kForwards;
  return record(op, y, {x}, [=, table = Saved(table.detach())](const Tensor& dy) {
    return turned(op, dy, table, first, heads, back);
  });
}

/// The table for the frequencies frequency(i).
template <class Frequency>
Tensor table_of(Index positions, Index width, double scale, Frequency frequency) {
  Tensor table(Shape(std::array{positions, width}, "rotary_table"));
  if (table.size() == 0) return table;
  Scalar* const angles = table.mutable_data();
  const Index half = width / 2;
  for (Index t = 0; t < positions; ++t) {
    for (Index i = 0; i < half; ++i) {
      const double angle = static_cast<double>(t) * frequency(i);
      angles[t * width + i] = static_cast<Scalar>(scale * std::cos(angle));
      angles[t * width + half + i] = static_cast<Scalar>(scale * std::sin(angle));
    }
  }
  return table;
}

}  // namespace

Tensor rotary_table(Index positions, Index width, double base) {
  check(positions >= 0 && width >= 0 && width % 2 == 0 && base > 0 && std::isfinite(base),
        "rotary_table: needs an even width and a finite base above 0, got ", positions,
        " positions, width ", width, " and base ", base);
  return table_of(positions, width, 1, [=](Index i) {
    return std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(width));
  });
}

Tensor rotary_table(Index positions, const std::vector<double>& frequencies, double scale) {
  const auto is_finite = [](double x) { return std::isfinite(x); };
  check(positions >= 0 && std::ranges::all_of(frequencies, is_finite) && is_finite(scale),
        "rotary_table: needs finite frequencies, got ", positions, " positions, ",
        frequencies.size(), " frequencies and scale ", scale);
  return table_of(positions, 2 * std::ssize(frequencies), scale,
                  [&](Index i) { return frequencies[static_cast<std::size_t>(i)]; });
}

Tensor rotary(const Tensor& x, const Tensor& table, Index first) {
  require_defined("rotary", {{"x", x}, {"table", table}});
  check(x.rank() >= 2, "rotary: needs x [..., T, D], got ", x.shape());
  check_table("rotary", table, x.size(-1), first, x.size(-2));
  if (uses_fused()) {
    return turned("rotary", x, table, first, 1, Turn::kForwards);
  }
  const std::vector<Tensor> pair = split(x, 2, -1);
  const std::vector<Tensor> turn =
      split(slice(table.detach(), 0, first, first + x.size(-2)), 2, -1);  // cosines, sines
  return concat({pair[0] * turn[0] - pair[1] * turn[1], pair[0] * turn[1] + pair[1] * turn[0]}, -1);
}

Tensor packed_rotary(const Tensor& qkv, int heads, const Tensor& table, Index first, int kv_heads) {
  require_defined("packed_rotary", {{"qkv", qkv}, {"table", table}});
  const PackedHeads packed = packed_heads("packed_rotary", qkv, heads, kv_heads);
  check(packed.width > 0, "packed_rotary: needs heads with channels, got ", qkv.shape());
  check_table("packed_rotary", table, packed.width, first, qkv.size(1));
  if (uses_fused()) {
    return turned("packed_rotary", qkv, table, first, packed.queries + packed.keys,
                  Turn::kForwards);
  }
  const std::vector<Tensor> parts = packed.split(qkv);
  const auto turn = [&](const Tensor& part, Index count) {
    return join_heads(rotary(split_heads(part, count), table, first));
  };
  return concat({turn(parts[0], packed.queries), turn(parts[1], packed.keys), parts[2]}, -1);
}

}  // namespace gradus

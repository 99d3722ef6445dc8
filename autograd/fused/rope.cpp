#include "autograd/fused/rope.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/heads.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/shape.h"

namespace gradus {
namespace {

constexpr Scalar kEpsilon = Scalar(1e-6);

/// Forwards turns by the table's angles, backwards by their negatives.
enum class Turn { kForwards, kBackwards };

/// y = x turned by one row of the table; x and y may be the same.
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
  check(table.rank() == 2 && table.size(1) == width && width % 2 == 0 && first >= 0 &&
            first + time <= table.size(0),
        op, ": needs a table [at least ", first + time, ", ", width, "], of even width, got ",
        table.shape());
}

Tensor turned(const Tensor& x, const Tensor& table, Index first, Turn turn) {
  check(x.rank() >= 2, "rotary: needs x [..., T, D], got ", x.shape());
  const Index time = x.size(-2);
  const Index width = x.size(-1);
  check_table("rotary", table, width, first, time);
  Tensor y(x.shape());
  if (x.size() > 0) {
    parallel_for(x.size() / width, kElementGrain / width + 1, [&](Index begin, Index end) {
      for (Index row = begin; row < end; ++row) {
        turn_row(x.data() + row * width, table.data() + (first + row % time) * width, turn, width,
                 y.data() + row * width);
      }
    });
  }
  return record("rotary", y, {x},
                [first, turn, table = table.detach()](const Tensor& dy) -> Gradients {
                  const Turn back = turn == Turn::kForwards ? Turn::kBackwards : Turn::kForwards;
                  return {turned(dy, table, first, back)};
                });
}

/// How queries, keys and values lie: rows of 3 C, in which the first 2 H heads are to be prepared.
struct Packed {
  Index rows, time, channels, prepared, width;
};

Packed packed_shape(const Tensor& qkv, int heads, const HeadPreparation& preparation) {
  require_defined("prepare_heads", {{"qkv", qkv}});
  check(heads >= 1 && qkv.rank() == 3 && qkv.size(2) > 0 && qkv.size(2) % (3 * heads) == 0,
        "prepare_heads: needs qkv [B, T, 3 C] with C a multiple of the ", heads, " heads, got ",
        qkv.shape());
  const Index width = qkv.size(2) / (3 * heads);
  if (preparation.table.defined()) {
    check_table("prepare_heads", preparation.table, width, preparation.first, qkv.size(1));
  }
  return {qkv.size(0) * qkv.size(1), qkv.size(1), qkv.size(2), 2 * heads, width};
}

/// Calls head(its offset, the row of the table or nullptr) for every query and key, and
/// values(offset, size) for the rest of each row.
template <class Head, class Values>
void for_each_part(const Packed& p, const HeadPreparation& how, Head head, Values values) {
  parallel_for(p.rows, kElementGrain / p.channels + 1, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Scalar* angles =
          how.table.defined() ? how.table.data() + (how.first + row % p.time) * p.width : nullptr;
      const Index start = row * p.channels;
      for (Index i = 0; i < p.prepared; ++i) {
        head(start + i * p.width, angles);
      }
      values(start + p.prepared * p.width, p.channels - p.prepared * p.width);
    }
  });
}

}  // namespace

Tensor rotary_table(Index positions, Index width, double base) {
  check(positions >= 0 && width >= 0 && width % 2 == 0 && base > 0,
        "rotary_table: needs an even width and a base above 0, got ", positions,
        " positions, width ", width, " and base ", base);
  Tensor table(Shape{positions, width});
  for (Index t = 0; t < positions; ++t) {
    for (Index i = 0; i < width / 2; ++i) {
      const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(width);
      const double angle = static_cast<double>(t) * std::pow(base, exponent);
      table.data()[t * width + i] = static_cast<Scalar>(std::cos(angle));
      table.data()[t * width + width / 2 + i] = static_cast<Scalar>(std::sin(angle));
    }
  }
  return table;
}

Tensor rotary(const Tensor& x, const Tensor& table, Index first) {
  require_defined("rotary", {{"x", x}, {"table", table}});
  return turned(x, table, first, Turn::kForwards);
}

Tensor prepare_heads(const Tensor& qkv, int heads, const HeadPreparation& how) {
  const Packed packed = packed_shape(qkv, heads, how);
  Tensor y(qkv.shape());
  for_each_part(
      packed, how,
      [&](Index at, const Scalar* angles) {
        const Scalar* x = qkv.data() + at;
        Scalar* to = y.data() + at;
        const Scalar r = how.normalise ? inverse_rms(x, packed.width, kEpsilon) : Scalar(1);
        for (Index i = 0; i < packed.width; ++i) {
          to[i] = x[i] * r;
        }
        if (angles != nullptr) {
          turn_row(to, angles, Turn::kForwards, packed.width, to);
        }
      },
      [&](Index at, Index size) { std::copy_n(qkv.data() + at, size, y.data() + at); });
  // saved: qkv, for the gradient of its norms alone
  return record(
      "prepare_heads", y, {qkv},
      [packed, how, x = how.normalise ? qkv.detach() : Tensor()](const Tensor& dy) -> Gradients {
        once_only("prepare_heads", "prepare_heads_composed");
        Tensor dx(dy.shape());
        for_each_part(
            packed, how,
            [&](Index at, const Scalar* angles) {
              Scalar* to = dx.data() + at;
              std::copy_n(dy.data() + at, packed.width, to);
              if (angles != nullptr) {
                turn_row(to, angles, Turn::kBackwards, packed.width, to);
              }
              if (how.normalise) {
                const Scalar* from = x.data() + at;
                rms_norm_gradient(from, inverse_rms(from, packed.width, kEpsilon), to,
                                  packed.width);
              }
            },
            [&](Index at, Index size) { std::copy_n(dy.data() + at, size, dx.data() + at); });
        return {dx};
      });
}

Tensor prepare_heads_composed(const Tensor& qkv, int heads, const HeadPreparation& how) {
  packed_shape(qkv, heads, how);  // refuses what prepare_heads refuses
  const std::vector<Tensor> parts = split(qkv, 3, -1);
  const auto prepared = [&](const Tensor& part) {
    Tensor x = split_heads(part, heads);
    x = how.normalise ? rms_norm_composed(x, Tensor(), kEpsilon) : x;
    x = how.table.defined() ? rotary(x, how.table, how.first) : x;
    return join_heads(x);
  };
  return concat({prepared(parts[0]), prepared(parts[1]), parts[2]}, -1);
}

}  // namespace gradus

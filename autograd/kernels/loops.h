/// @file
/// Loops over elements: of one array, of arrays of one shape, and of arrays that broadcast.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>

#include "autograd/kernels/parallel_for.h"
#include "autograd/shape.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// With fewer elements, a second thread costs more than it saves.
inline constexpr Index kElementGrain = 16384;

/// The grain for parallel_for() over rows that cost as much as `cost` elements each.
inline Index row_grain(Index cost) { return kElementGrain / std::max<Index>(cost, 1) + 1; }

/// The same for a cost that is a product. The product may overflow an Index, because rows without
/// elements may have axes of any size.
inline Index row_grain(std::initializer_list<Index> factors) {
  double cost = 1;
  for (const Index factor : factors) {
    cost *= static_cast<double>(factor);
  }
  return row_grain(cost <= kElementGrain ? static_cast<Index>(cost) : kElementGrain + 1);
}

/// The largest number of rows that are added one by one. More rows are split into parts of this
/// size: each part is summed separately, then their sums are added.
inline constexpr Index kSumBlock = Index{1} << 20;

/// y[i] = f(x[i]) for i in [0, n).
template <class F>
void map(Index n, const Scalar* x, Scalar* y, F f) {
  parallel_for(n, kElementGrain, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      y[i] = f(x[i]);
    }
  });
}

/// y[i] = f(a[i], b[i]) for i in [0, n).
template <class R, class F>
void map(Index n, const Scalar* a, const Scalar* b, R* y, F f) {
  parallel_for(n, kElementGrain, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      y[i] = f(a[i], b[i]);
    }
  });
}

/// The strides for reading K arrays while one result is written in row-major order: one for each
/// array and axis, 0 along axes on which the array is broadcast. Adjacent axes are merged if one
/// stride of each array covers both.
template <std::size_t K>
struct BroadcastPlan {
  int rank = 0;                         ///< the number of axes after merging, at least one
  std::array<Index, kMaxRank> sizes{};  ///< innermost first
  std::array<std::array<Index, kMaxRank>, K> strides{};  ///< innermost first

  /// The plan for arrays of these shapes, which broadcast to `out`.
  BroadcastPlan(const Shape& out, const std::array<const Shape*, K>& inputs) {
    std::array<Index, K> step;
    step.fill(1);
    for (int back = 1; back <= out.rank(); ++back) {
      const Index size = out.end()[-back];
      std::array<Index, K> stride{};
      for (std::size_t k = 0; k < K; ++k) {
        const bool moves = back <= inputs[k]->rank() && inputs[k]->end()[-back] != 1;
        stride[k] = moves ? step[k] : 0;
        step[k] *= moves ? size : 1;
      }
      if (size != 1) {
        add_axis(size, stride);
      }
    }
    if (rank == 0) {
      add_axis(1, {});
    }
  }

  /// The number of runs along the innermost axis.
  Index rows() const {
    Index rows = 1;
    for (int axis = 1; axis < rank; ++axis) {
      rows *= sizes[axis];
    }
    return rows;
  }

  /// The offset of row number `row` in each array.
  std::array<Index, K> offsets(Index row) const {
    std::array<Index, K> offsets{};
    for (int axis = 1; axis < rank; ++axis) {
      const Index i = row % sizes[axis];
      row /= sizes[axis];
      for (std::size_t k = 0; k < K; ++k) {
        offsets[k] += i * strides[k][axis];
      }
    }
    return offsets;
  }

 private:
  void add_axis(Index size, const std::array<Index, K>& stride) {
    bool merges = rank > 0;
    for (std::size_t k = 0; k < K && merges; ++k) {
      merges = stride[k] == strides[k][rank - 1] * sizes[rank - 1];
    }
    if (merges) {
      sizes[rank - 1] *= size;
      return;
    }
    sizes[rank] = size;
    for (std::size_t k = 0; k < K; ++k) {
      strides[k][rank] = stride[k];
    }
    ++rank;
  }
};

/// Calls `run(out_offset, offsets, n)` for runs of `n` results from out_offset on. Operand k of a
/// run begins at offsets[k] and has the stride plan.strides[k][0], which is 0 or 1.
template <std::size_t K, class Run>
void broadcast_runs(const BroadcastPlan<K>& plan, Run&& run) {
  const Index n = plan.sizes[0];
  const Index rows = plan.rows();
  if (rows == 1) {
    parallel_for(n, kElementGrain, [&](Index begin, Index end) {
      std::array<Index, K> offsets{};
      for (std::size_t k = 0; k < K; ++k) {
        offsets[k] = begin * plan.strides[k][0];
      }
      run(begin, offsets, end - begin);
    });
    return;
  }
  parallel_for(rows, row_grain(n), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      run(row * n, plan.offsets(row), n);
    }
  });
}

/// For rows with fewer elements, starting a loop costs more than the computation.
inline constexpr Index kShortRow = 32;

/// Whether array k of the plan is one short row, repeated.
template <std::size_t K>
bool repeats_short_row(const BroadcastPlan<K>& plan, std::size_t k) {
  return plan.rank == 2 && plan.sizes[0] < kShortRow && plan.strides[k][1] == 0;
}

/// For a plan in which array k is a repeated short row x: calls `run(offset, row, n)` for pieces of
/// n results, many rows each, from `offset` on. `row` also has n elements: x, repeated.
template <std::size_t K, class Run>
void short_row_runs(const BroadcastPlan<K>& plan, std::size_t k, const Scalar* x, Run&& run) {
  const Index n = plan.sizes[0], stride = plan.strides[k][0];
  parallel_for(plan.rows(), row_grain(n), [&](Index begin, Index end) {
    std::array<Scalar, 16 * kShortRow> row;
    Index filled = 0;
    for (Index r = begin; r < end && filled + n <= static_cast<Index>(row.size()); ++r) {
      for (Index i = 0; i < n; ++i) row[filled++] = x[i * stride];
    }
    for (Index at = begin * n; at < end * n; at += filled) {
      run(at, row.data(), std::min(filled, end * n - at));
    }
  });
}

/// y = f(a, b), broadcast. The shape of y is `out`.
template <class R, class F>
void broadcast_map(const Shape& out, const Shape& a_shape, const Scalar* a, const Shape& b_shape,
                   const Scalar* b, R* y, F f) {
  if (a_shape == b_shape) {
    map(out.size(), a, b, y, f);
    return;
  }
  const BroadcastPlan<2> plan(out, {&a_shape, &b_shape});
  const auto dense = [&](std::size_t k) {
    return plan.strides[k][0] == 1 && plan.strides[k][1] == plan.sizes[0];
  };
  if (dense(0) && repeats_short_row(plan, 1)) {
    short_row_runs(plan, 1, b, [=](Index at, const Scalar* row, Index count) {
      for (Index i = 0; i < count; ++i) y[at + i] = f(a[at + i], row[i]);
    });
    return;
  }
  if (dense(1) && repeats_short_row(plan, 0)) {
    short_row_runs(plan, 0, a, [=](Index at, const Scalar* row, Index count) {
      for (Index i = 0; i < count; ++i) y[at + i] = f(row[i], b[at + i]);
    });
    return;
  }
  const bool a_moves = plan.strides[0][0] != 0;
  const bool b_moves = plan.strides[1][0] != 0;
  broadcast_runs(plan, [=](Index offset, const std::array<Index, 2>& at, Index n) {
    const Scalar* p = a + at[0];
    const Scalar* q = b + at[1];
    R* r = y + offset;
    // One loop for each combination of strides, so that each vectorises.
    if (a_moves && b_moves) {
      for (Index i = 0; i < n; ++i) r[i] = f(p[i], q[i]);
    } else if (a_moves) {
      for (Index i = 0; i < n; ++i) r[i] = f(p[i], *q);
    } else if (b_moves) {
      for (Index i = 0; i < n; ++i) r[i] = f(*p, q[i]);
    } else {
      std::fill(r, r + n, f(*p, *q));
    }
  });
}

/// y = x, broadcast. The shape of y is `out`.
inline void broadcast_copy(const Shape& out, const Shape& x_shape, const Scalar* x, Scalar* y) {
  const BroadcastPlan<1> plan(out, {&x_shape});
  if (repeats_short_row(plan, 0)) {
    short_row_runs(plan, 0, x,
                   [=](Index at, const Scalar* row, Index n) { std::copy_n(row, n, y + at); });
    return;
  }
  broadcast_runs(plan, [&](Index offset, const std::array<Index, 1>& at, Index n) {
    if (plan.strides[0][0] == 0) {
      std::fill_n(y + offset, n, x[at[0]]);
    } else {
      std::copy_n(x + at[0], n, y + offset);
    }
  });
}

/// Calls body(read). read(i) is p[i], or always p[0] for an operand that does not move. The two
/// readers have different types, so that the loop inside vectorises.
template <class T, class Body>
void with_reader(const T* p, bool moves, Body&& body) {
  if (moves) {
    body([p](Index i) { return p[i]; });
  } else {
    body([value = *p](Index) { return value; });
  }
}

/// y = a where the condition is not 0, otherwise b, broadcast. The shape of y is `out`.
inline void broadcast_choose(const Shape& out, const Shape& condition_shape,
                             const std::int32_t* condition, const Shape& a_shape, const Scalar* a,
                             const Shape& b_shape, const Scalar* b, Scalar* y) {
  const BroadcastPlan<3> plan(out, {&condition_shape, &a_shape, &b_shape});
  const auto moves = [&](int k) { return plan.strides[k][0] != 0; };
  broadcast_runs(plan, [&](Index offset, const std::array<Index, 3>& at, Index n) {
    if (n == 0) {
      return;
    }
    with_reader(condition + at[0], moves(0), [&](auto holds) {
      with_reader(a + at[1], moves(1), [&](auto p) {
        with_reader(b + at[2], moves(2), [&, run = y + offset](auto q) {
          for (Index i = 0; i < n; ++i) {
            const Scalar yes = p(i), no = q(i);
            run[i] = holds(i) != 0 ? yes : no;
          }
        });
      });
    });
  });
}

/// Calls line(number, first) for each line of elements along `axis`, in any order. `number` counts
/// the lines in row-major order. The elements of the line begin at `first` and lie
/// shape.product(axis + 1, shape.rank()) apart.
template <class Line>
void for_each_line(const Shape& shape, int axis, Line line) {
  if (shape.size() == 0) {
    return;  // other axes may be too long to loop over
  }
  const Index n = shape.begin()[axis], step = shape.product(axis + 1, shape.rank());
  parallel_for(shape.product(0, axis) * step, row_grain(n), [=](Index begin, Index end) {
    for (Index number = begin; number < end; ++number) {
      line(number, number / step * n * step + number % step);
    }
  });
}

/// @}

}  // namespace gradus::detail

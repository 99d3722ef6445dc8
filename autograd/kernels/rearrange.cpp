#include "autograd/kernels/rearrange.h"

#include <algorithm>
#include <span>
#include <utility>

#include "autograd/kernels/loops.h"

namespace gradus::detail {
namespace {

/// One axis of a copy: its size, and its strides in x and in y.
struct Step {
  Index size, in_x, in_y;
};

/// The axes of a copy, outermost first.
struct Walk {
  int rank = 0;
  std::array<Step, kMaxRank> steps{};

  void push_back(const Step& step) { steps[rank++] = step; }
  Step take(int axis) {
    const Step taken = steps[axis];
    std::copy(steps.begin() + axis + 1, steps.begin() + rank, steps.begin() + axis);
    --rank;
    return taken;
  }
  Index count() const {
    Index count = 1;
    for (int axis = 0; axis < rank; ++axis) {
      count *= steps[axis].size;
    }
    return count;
  }
  /// The offsets of index i in x and in y.
  std::pair<Index, Index> at(Index i) const {
    Index in_x = 0, in_y = 0;
    for (int axis = rank; axis-- > 0; i /= steps[axis].size) {
      const Index k = i % steps[axis].size;
      in_x += k * steps[axis].in_x;
      in_y += k * steps[axis].in_y;
    }
    return {in_x, in_y};
  }
};

/// Copies runs of n elements from x to y: `rows` of them at each index of `walk`.
void copy_runs(const Walk& walk, const Step& rows, Index n, const Scalar* x, Scalar* y) {
  // The elements are split among the threads, not the runs: there may be only one run.
  parallel_for(walk.count() * rows.size * n, kElementGrain, [&](Index begin, Index end) {
    if (begin == end) {
      return;
    }
    Index column = begin % n;
    for (Index row = begin / n; begin < end;) {
      const auto [in_x, in_y] = walk.at(row / rows.size);
      for (Index r = row % rows.size; r < rows.size && begin < end; ++r, ++row) {
        const Index count = std::min(n - column, end - begin);
        std::copy_n(x + in_x + r * rows.in_x + column, count, y + in_y + r * rows.in_y + column);
        begin += count;
        column = 0;
      }
    }
  });
}

constexpr Index kTile = 16;  // a cache line of floats

/// y[i * y_step + j] = x[j * x_step + i] for i < rows, j < columns, both at most kTile.
void transpose_tile(const Scalar* x, Index x_step, Scalar* y, Index y_step, Index rows,
                    Index columns) {
  if (rows < kTile || columns < kTile) {
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < columns; ++j) y[i * y_step + j] = x[j * x_step + i];
    }
    return;
  }
  // Copies through a small buffer, so that whole cache lines are read and written at a time: with
  // strides that are powers of two, the lines of a tile compete for the same cache sets.
  Scalar tile[kTile][kTile];
  for (Index j = 0; j < kTile; ++j) {
    for (Index i = 0; i < kTile; ++i) tile[i][j] = x[j * x_step + i];
  }
  for (Index i = 0; i < kTile; ++i) {
    for (Index j = 0; j < kTile; ++j) y[i * y_step + j] = tile[i][j];
  }
}

/// Transposes planes tile by tile, one plane at each index of `walk`: neighbours along `rows` are
/// adjacent in x, neighbours along `columns` are adjacent in y.
void transpose_planes(const Walk& walk, const Step& rows, const Step& columns, const Scalar* x,
                      Scalar* y) {
  const Index down = (rows.size + kTile - 1) / kTile;
  const Index across = (columns.size + kTile - 1) / kTile;
  const Index grain = kElementGrain / (kTile * kTile);
  parallel_for(walk.count() * down * across, grain, [&](Index begin, Index end) {
    Index stop = begin / (down * across);
    Index i = begin / across % down * kTile;
    Index j = begin % across * kTile;
    for (; begin < end; ++stop, i = 0) {
      const auto [in_x, in_y] = walk.at(stop);
      for (; i < rows.size && begin < end; i += kTile, j = 0) {
        for (; j < columns.size && begin < end; j += kTile, ++begin) {
          transpose_tile(x + in_x + j * columns.in_x + i, columns.in_x,
                         y + in_y + i * rows.in_y + j, rows.in_y, std::min(kTile, rows.size - i),
                         std::min(kTile, columns.size - j));
        }
      }
    }
  });
}

}  // namespace

void copy_runs(Index rows, Index n, const Scalar* x, Index x_step, Scalar* y, Index y_step) {
  copy_runs({}, {rows, x_step, y_step}, n, x, y);
}

void add_runs(Index rows, Index n, const Scalar* x, Index x_step, Scalar* y, Index y_step) {
  if (n == 0) {
    return;  // there may be too many rows to loop over
  }
  parallel_for(rows, row_grain(n), [=](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      for (Index i = 0; i < n; ++i) {
        y[row * y_step + i] += x[row * x_step + i];
      }
    }
  });
}

void pad_runs(Index rows, Index n, const Scalar* x, Index before, Index after, Scalar value,
              Scalar* y) {
  const Index row_size = before + n + after;
  if (row_size == 0) {
    return;  // there may be too many rows to loop over
  }
  parallel_for(rows, row_grain(row_size), [=](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      Scalar* at = std::fill_n(y + row * row_size, before, value);
      at = std::copy_n(x + row * n, n, at);
      std::fill_n(at, after, value);
    }
  });
}

Shape permute_shape(const Shape& from, const std::array<int, kMaxRank>& order) {
  std::array<Index, kMaxRank> sizes{};
  for (int axis = 0; axis < from.rank(); ++axis) {
    sizes[axis] = from[order[axis]];
  }
  return Shape(std::span<const Index>(sizes.data(), from.rank()));
}

void permute_elements(const Shape& from, const std::array<int, kMaxRank>& order, const Scalar* x,
                      Scalar* y) {
  const Shape to = permute_shape(from, order);
  if (to.size() == 0) {
    return;
  }
  Walk walk;  // without axes of size 1; axes that stay adjacent are merged
  for (int axis = 0; axis < to.rank(); ++axis) {
    const Step step{to[axis], from.product(order[axis] + 1, from.rank()),
                    to.product(axis + 1, to.rank())};
    Step* outside = walk.rank > 0 ? &walk.steps[walk.rank - 1] : nullptr;
    if (outside != nullptr && outside->in_x == step.size * step.in_x) {
      *outside = {outside->size * step.size, step.in_x, step.in_y};
    } else if (step.size > 1) {
      walk.push_back(step);
    }
  }
  const Step last = walk.rank > 0 ? walk.take(walk.rank - 1) : Step{1, 1, 1};
  if (last.in_x == 1) {
    const Step rows = walk.rank > 0 ? walk.take(walk.rank - 1) : Step{1, 0, 0};
    copy_runs(walk, rows, last.size, x, y);
  } else {
    int first = 0;  // x's innermost axis
    while (walk.steps[first].in_x != 1) {
      ++first;
    }
    const Step rows = walk.take(first);
    transpose_planes(walk, rows, last, x, y);
  }
}

}  // namespace gradus::detail

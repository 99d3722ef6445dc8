/// @file
/// Indices of elements, and loops over those that indices name: rows of a table, and elements along
/// an axis.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "autograd/check.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/scratch.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// The indices of element number `flat`, which print like a shape.
inline Shape position_of(Index flat, const Shape& shape) {
  Shape position = shape;
  for (int axis = shape.rank(); axis-- > 0; flat /= shape[axis]) {
    position = position.with(axis, flat % shape[axis]);
  }
  return position;
}

/// The first index outside [0, n), or nullptr. Looks at all of them, so that the loop vectorises.
inline const std::int32_t* find_outside(std::span<const std::int32_t> index, Index n) {
  const auto is_outside = [n](std::int32_t i) { return i < 0 || i >= n; };
  bool found = false;
  for (const std::int32_t i : index) {
    found |= is_outside(i);
  }
  return found ? &*std::ranges::find_if(index, is_outside) : nullptr;
}

/// Fails unless all numbers of an index tensor are in [0, n): `what` NUMBER at POSITION is outside
/// `of`.
template <class... Of>
void check_inside(const std::int32_t* index, const Shape& shape, Index n, const char* what,
                  const Of&... of) {
  if (const std::int32_t* bad = find_outside({index, static_cast<std::size_t>(shape.size())}, n)) {
    fail(what, ' ', *bad, " at ", position_of(bad - index, shape), " is outside ", of...);
  }
}

/// dtable[v, :] = sum of dy[i, :] over tokens[i] = v, in the order of i, over i < count and v <
/// rows. Each kSumBlock of i have sums of their own, which are then added: a float that has counted
/// to 2^24 does not grow by adding 1 to it.
inline void add_rows(const std::int32_t* tokens, Index count, const Scalar* dy, Index rows,
                     Index columns, Scalar* dtable) {
  if (rows == 0 || columns == 0) {
    return;  // the other may be too large to walk along
  }
  // Each thread goes through all tokens for its own columns, whole cache lines of them: no two
  // threads write the same place, and the order of addition does not depend on their number.
  constexpr Index kLine = 64 / sizeof(Scalar);
  const Index lines = (columns + kLine - 1) / kLine;
  parallel_for(lines, row_grain((rows + count) * kLine), [=](Index begin, Index end) {
    const Index first = begin * kLine;
    const Index n = std::min(columns, end * kLine) - first;
    // The sums of tokens [i, last), to rows that are `step` apart.
    const auto sum = [=](Index i, Index last, Scalar* sums, Index step) {
      for (Index v = 0; v < rows; ++v) {
        std::fill_n(sums + v * step, n, Scalar(0));
      }
      for (; i < last; ++i) {
        Scalar* to = sums + tokens[i] * step;
        const Scalar* from = dy + i * columns + first;
        for (Index c = 0; c < n; ++c) {
          to[c] += from[c];
        }
      }
    };
    sum(0, std::min(count, kSumBlock), dtable + first, columns);
    for (Index i = kSumBlock; i < count; i += kSumBlock) {
      Scratch more(rows * n);
      sum(i, std::min(count, i + kSumBlock), more.data(), n);
      for (Index v = 0; v < rows; ++v) {
        for (Index c = 0; c < n; ++c) {
          dtable[v * columns + first + c] += more.data()[v * n + c];
        }
      }
    }
  });
}

/// Calls visit(in_x, in_y) for every index of shape `y`: where in x it points, and its place in y.
/// Indices that may point to the same element are visited in their order by one thread.
template <class Visit>
void for_each_index(const Shape& x, int axis, const Shape& y, const std::int32_t* index,
                    Visit visit) {
  if (y.size() == 0) {
    return;
  }
  const int last = y.rank() - 1;
  const Index columns = y[last];
  const Index rows = y.size() / columns;
  std::array<Index, kMaxRank> strides{};  // of x, but 0 along the axis, where the index decides
  for (int d = 0; d <= last; ++d) {
    strides[d] = d == axis ? 0 : x.product(d + 1, x.rank());
  }
  const Index stride = x.product(axis + 1, x.rank());
  const auto part = [=, &y](Index first_row, Index last_row, Index first, Index end) {
    for (Index row = first_row; row < last_row; ++row) {
      Index base = 0;  // where the row begins in x, were its indices 0
      Index rest = row;
      for (int d = last; d-- > 0; rest /= y.begin()[d]) {
        base += rest % y.begin()[d] * strides[d];
      }
      for (Index c = first; c < end; ++c) {
        const Index in_y = row * columns + c;
        visit(base + c * strides[last] + index[in_y] * stride, in_y);
      }
    }
  };
  // Rows that differ before the axis never meet; if there is only one such group, columns do not.
  const Index groups = y.product(0, axis);
  if (groups > 1 || axis == last) {
    const Index group = rows / groups;
    parallel_for(groups, row_grain(group * columns),
                 [&](Index begin, Index end) { part(begin * group, end * group, 0, columns); });
  } else {
    parallel_for(columns, row_grain(rows),
                 [&](Index begin, Index end) { part(0, rows, begin, end); });
  }
}

/// @}

}  // namespace gradus::detail

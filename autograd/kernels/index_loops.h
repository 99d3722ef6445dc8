/// @file
/// Indices of elements, and loops over the elements that indices select: rows of a table, and
/// elements along an axis.
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

/// The indices of element number `flat`, as a Shape, which prints them in brackets.
inline Shape position_of(Index flat, const Shape& shape) {
  Shape position = shape;
  for (int axis = shape.rank(); axis-- > 0; flat /= shape[axis]) {
    position = position.with(axis, flat % shape[axis]);
  }
  return position;
}

/// The first index outside [0, n), or nullptr. Reads all of them, so that the loop vectorises.
inline const std::int32_t* find_outside(std::span<const std::int32_t> index, Index n) {
  const auto is_outside = [n](std::int32_t i) { return i < 0 || i >= n; };
  bool found = false;
  for (const std::int32_t i : index) {
    found |= is_outside(i);
  }
  return found ? &*std::ranges::find_if(index, is_outside) : nullptr;
}

/// Throws unless all numbers of an index tensor are in [0, n). The message is: `what` NUMBER at
/// POSITION is outside `of`.
template <class... Of>
void check_inside(const std::int32_t* index, const Shape& shape, Index n, const char* what,
                  const Of&... of) {
  if (const std::int32_t* bad = find_outside({index, static_cast<std::size_t>(shape.size())}, n)) {
    fail(what, ' ', *bad, " at ", position_of(bad - index, shape), " is outside ", of...);
  }
}

/// dtable[v, :] = sum of dy[i, :] over all i < count with tokens[i] = v, in the order of i, for
/// each v < rows. Blocks of kSumBlock values of i are summed separately, and the sums of the blocks
/// are then added: a float of 2^24 does not grow when 1 is added to it.
inline void add_rows(const std::int32_t* tokens, Index count, const Scalar* dy, Index rows,
                     Index columns, Scalar* dtable) {
  if (rows == 0 || columns == 0) {
    return;  // the other one may be too large to loop over
  }
  // Each thread goes through all tokens for its own columns, in whole cache lines. So no two
  // threads write to the same place, and the order of addition does not depend on the number of
  // threads.
  constexpr Index kLine = 64 / sizeof(Scalar);
  const Index lines = (columns + kLine - 1) / kLine;
  parallel_for(lines, row_grain((rows + count) * kLine), [=](Index begin, Index end) {
    const Index first = begin * kLine;
    const Index n = std::min(columns, end * kLine) - first;
    // The sums over tokens [i, last), written to rows that are `step` apart.
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

/// Calls visit(in_x, in_y) for every element of an index of shape `y`: in_x is the offset of the
/// element of x that it selects, in_y its own offset. Indices that may select the same element are
/// visited in their order by one thread.
template <class Visit>
void for_each_index(const Shape& x, int axis, const Shape& y, const std::int32_t* index,
                    Visit visit) {
  if (y.size() == 0) {
    return;
  }
  const int last = y.rank() - 1;
  const Index columns = y[last];
  const Index rows = y.size() / columns;
  std::array<Index, kMaxRank> strides{};  // of x, but 0 along the axis, where the index selects
  for (int d = 0; d <= last; ++d) {
    strides[d] = d == axis ? 0 : x.product(d + 1, x.rank());
  }
  const Index stride = x.product(axis + 1, x.rank());
  const auto part = [=, &y](Index first_row, Index last_row, Index first, Index end) {
    for (Index row = first_row; row < last_row; ++row) {
      Index base = 0;  // the offset in x of the row's beginning if its indices were 0
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
  // Rows with different indices before the axis never select the same element of x. If there is
  // only one such group of rows, different columns never do.
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

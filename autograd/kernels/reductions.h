/// @file
/// Sums, largest and smallest elements along the middle of three axes.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"
#include "autograd/kernels/scratch.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// The sum of x[0..n). Blocks are summed in Scalar, which vectorises; their sums are added in
/// double, so that a long sum has no larger error than a short one.
inline Scalar sum_of(const Scalar* x, Index n) {
  constexpr Index kBlock = 1024;
  double total = 0;
  for (Index begin = 0; begin < n; begin += kBlock) {
    const Index end = std::min(n, begin + kBlock);
    Scalar block = 0;
#pragma omp simd reduction(+ : block)
    for (Index i = begin; i < end; ++i) {
      block += x[i];
    }
    total += block;
  }
  return static_cast<Scalar>(total);
}

/// A reduction by addition, for reduce_middle().
struct Sum {
  /// The sum of n elements.
  static Scalar row(const Scalar* x, Index n) { return sum_of(x, n); }
  /// The sum of two elements.
  static Scalar two(Scalar a, Scalar b) { return a + b; }
};

/// A reduction to the largest element; NaN if there is a NaN.
struct Largest {
  /// The larger of two elements.
  static Scalar two(Scalar a, Scalar b) {
    return a > b || a != a ? a : b;  // a != a: NaN stays
  }
  /// The largest of n elements.
  static Scalar row(const Scalar* x, Index n) {
    if (n >= 32) {
      return long_row(x, n);
    }
    Scalar best = x[0];
    for (Index i = 1; i < n; ++i) {
      best = two(best, x[i]);
    }
    return best;
  }

 private:
  /// The same with vector instructions, equal to the bit: the first NaN, or the last of the largest
  /// elements, as these may be 0 and -0.
  [[gnu::noinline]] static Scalar long_row(const Scalar* x, Index n) {
    int nan = 0;
#pragma omp simd reduction(| : nan)
    for (Index i = 0; i < n; ++i) {
      nan |= x[i] != x[i] ? 1 : 0;
    }
    if (nan != 0) {
      return *std::find_if(x, x + n, [](Scalar v) { return v != v; });
    }
    const Scalar best = row_max(x, n);
    return best != 0 ? best : *std::find(std::reverse_iterator(x + n), std::reverse_iterator(x), 0);
  }
};

/// y[width] = x[n, width], reduced over the rows, which are `stride` apart. Long columns are
/// reduced in halves, which keeps the error of a long sum small.
template <class Reduction>
void reduce_columns(const Scalar* x, Index n, Index stride, Index width, Scalar* y) {
  constexpr Index kBlock = 512;
  if (n > kBlock) {
    const Index half = n / 2;
    Scratch rest(width);
    reduce_columns<Reduction>(x, half, stride, width, y);
    reduce_columns<Reduction>(x + half * stride, n - half, stride, width, rest.data());
    for (Index i = 0; i < width; ++i) {
      y[i] = Reduction::two(y[i], rest.data()[i]);
    }
    return;
  }
  std::copy(x, x + width, y);
  for (Index j = 1; j < n; ++j) {
    x += stride;
    for (Index i = 0; i < width; ++i) {
      y[i] = Reduction::two(y[i], x[i]);
    }
  }
}

/// y[outer, inner] = x[outer, n, inner], reduced over the middle axis.
template <class Reduction>
void reduce_middle(const Scalar* x, Scalar* y, Index outer, Index n, Index inner) {
  if (outer == 0 || inner == 0) {
    return;  // n may be too large to loop over
  }
  if (inner == 1 && outer == 1) {
    // One long row: each thread reduces a piece, and the results are then reduced in order.
    const int parts = parts_for(n, kElementGrain);
    std::vector<Scalar> partial(parts);
    parallel_parts(parts, [&](int part) {
      const Index begin = part_begin(n, part, parts);
      partial[part] = Reduction::row(x + begin, part_begin(n, part + 1, parts) - begin);
    });
    *y = Reduction::row(partial.data(), parts);
    return;
  }
  if (inner == 1) {
    parallel_for(outer, row_grain(n), [=](Index begin, Index end) {
      for (Index o = begin; o < end; ++o) {
        y[o] = Reduction::row(x + o * n, n);
      }
    });
    return;
  }
  // The columns are split among the threads, so that the order of addition does not depend on the
  // number of threads.
  const auto columns = [=](Index o, Index begin, Index end) {
    reduce_columns<Reduction>(x + o * n * inner + begin, n, inner, end - begin,
                              y + o * inner + begin);
  };
  if (outer == 1) {
    parallel_for(inner, row_grain(n), [=](Index begin, Index end) { columns(0, begin, end); });
  } else {
    parallel_for(outer, row_grain(n * inner), [=](Index begin, Index end) {
      for (Index o = begin; o < end; ++o) {
        columns(o, 0, inner);
      }
    });
  }
}

/// @}

}  // namespace gradus::detail

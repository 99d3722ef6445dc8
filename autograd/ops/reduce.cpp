#include "autograd/ops/reduce.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"
#include "autograd/kernels/scratch.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/shape.h"

namespace gradus {
namespace {

/// The sum of x[0..n): blocks in Scalar, which vectorises, their sums in double, which keeps the
/// error of a long sum that of a short one.
Scalar sum_of(const Scalar* x, Index n) {
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

Scalar larger(Scalar a, Scalar b) { return a > b || a != a ? a : b; }  // a != a: NaN stays

struct Sum {
  static Scalar row(const Scalar* x, Index n) { return sum_of(x, n); }
  static Scalar two(Scalar a, Scalar b) { return a + b; }
};

struct Max {
  static Scalar row(const Scalar* x, Index n) {
    if (n >= 32) {
      return long_row(x, n);
    }
    Scalar best = x[0];
    for (Index i = 1; i < n; ++i) {
      best = larger(best, x[i]);
    }
    return best;
  }
  /// The same by vectors, to the bit: the first NaN, or the last of the largest, which may be 0 and
  /// -0.
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
  static Scalar two(Scalar a, Scalar b) { return larger(a, b); }
};

/// y[width] = x[n, width], reduced over the rows, which are `stride` apart. Long columns by halves,
/// which keeps the error of a long sum small.
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

/// y[outer, inner] = x[outer, n, inner], reduced over the middle.
template <class Reduction>
void reduce_middle(const Scalar* x, Scalar* y, Index outer, Index n, Index inner) {
  if (inner == 1 && outer == 1) {
    // One long row: a piece for each thread, joined in their order.
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
    parallel_for(outer, kElementGrain / (n + 1) + 1, [=](Index begin, Index end) {
      for (Index o = begin; o < end; ++o) {
        y[o] = Reduction::row(x + o * n, n);
      }
    });
    return;
  }
  // Columns are cut among the threads, so that the order of addition does not depend on their
  // number.
  const auto columns = [=](Index o, Index begin, Index end) {
    reduce_columns<Reduction>(x + o * n * inner + begin, n, inner, end - begin,
                              y + o * inner + begin);
  };
  if (outer == 1) {
    parallel_for(inner, kElementGrain / (n + 1) + 1,
                 [=](Index begin, Index end) { columns(0, begin, end); });
  } else {
    parallel_for(outer, kElementGrain / (n * inner + 1) + 1, [=](Index begin, Index end) {
      for (Index o = begin; o < end; ++o) {
        columns(o, 0, inner);
      }
    });
  }
}

/// Reduces the axes in `mask`, one group of neighbours at a time, keeping them with size 1.
template <class Reduction>
Tensor reduce(Tensor x, unsigned mask) {
  for (int last = x.rank(); last > 0;) {
    if ((mask >> (last - 1) & 1) == 0) {
      --last;
      continue;
    }
    int first = last - 1;
    while (first > 0 && (mask >> (first - 1) & 1) != 0) {
      --first;
    }
    const Shape& from = x.shape();
    Shape to = from;
    for (int axis = first; axis < last; ++axis) {
      to = to.with(axis, 1);
    }
    Tensor y(to);
    reduce_middle<Reduction>(x.data(), y.data(), from.product(0, first), from.product(first, last),
                             from.product(last, from.rank()));
    x = y;
    last = first;
  }
  return x;
}

/// The number of elements behind each element of a reduction's result.
Index reduced_count(const Shape& shape, unsigned mask) {
  Index count = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    count *= (mask >> axis & 1) != 0 ? shape[axis] : 1;
  }
  return count;
}

Shape without_axes(const Shape& shape, unsigned mask) {
  Shape result = shape;
  for (int axis = shape.rank(); axis-- > 0;) {
    if ((mask >> axis & 1) != 0) {
      result = result.without(axis);
    }
  }
  return result;
}

/// `shape` with the axes in `mask` of size 1.
Shape kept_shape(Shape shape, unsigned mask) {
  for (int axis = 0; axis < shape.rank(); ++axis) {
    shape = (mask >> axis & 1) != 0 ? shape.with(axis, 1) : shape;
  }
  return shape;
}

/// The shape of a tensor reduced over the axes in `mask`, which go unless they are to stay.
Shape reduced_shape(const Shape& shape, unsigned mask, bool keepdim) {
  return keepdim ? kept_shape(shape, mask) : without_axes(shape, mask);
}

/// The same elements under another shape, outside the graph.
Tensor view(const Tensor& x, const Shape& shape) {
  return Tensor(shape, x.storage(), x.data() - x.storage()->data());
}

void check_not_empty(const char* op, const Tensor& x, unsigned mask) {
  check(reduced_count(x.shape(), mask) > 0, op, ": needs at least one element to reduce, got ",
        x.shape());
}

/// What `op` does: the sum over the axes in `mask` times `scale`, in the shape `to`, which differs
/// from the kept shape at most in axes of size 1.
Tensor scaled_sum(const char* op, const Tensor& x, unsigned mask, Scalar scale, const Shape& to) {
  if (mask == 0) {
    return reshape(x, to);
  }
  const Shape kept = kept_shape(x.shape(), mask);
  const Tensor y =
      reduced_count(x.shape(), mask) == 0 ? zeros(kept) : reduce<Sum>(x.detach(), mask);
  if (scale != 1) {
    map(y.size(), y.data(), y.data(), [scale](Scalar v) { return v * scale; });
  }
  return record(op, view(y, to), {x},
                [scale, kept, shape = x.shape()](const Tensor& dy) -> Gradients {
                  const Tensor d = reshape(dy, kept);
                  return {broadcast_to(scale == 1 ? d : d * scale, shape)};
                });
}

}  // namespace

Tensor sum(const Tensor& x, const Axes& axes, bool keepdim) {
  require_defined("sum", {{"x", x}});
  const unsigned mask = axes.mask("sum", x.shape());
  return scaled_sum("sum", x, mask, 1, reduced_shape(x.shape(), mask, keepdim));
}

Tensor mean(const Tensor& x, const Axes& axes, bool keepdim) {
  require_defined("mean", {{"x", x}});
  const unsigned mask = axes.mask("mean", x.shape());
  check_not_empty("mean", x, mask);
  const Scalar scale = Scalar(1) / static_cast<Scalar>(reduced_count(x.shape(), mask));
  return scaled_sum("mean", x, mask, scale, reduced_shape(x.shape(), mask, keepdim));
}

Tensor max(const Tensor& x, const Axes& axes, bool keepdim) {
  require_defined("max", {{"x", x}});
  const unsigned mask = axes.mask("max", x.shape());
  check_not_empty("max", x, mask);
  const Tensor y = reduce<Max>(x.detach(), mask);
  return record("max", view(y, reduced_shape(x.shape(), mask, keepdim)), {x},
                [x, mask, kept = y.shape()](const Tensor& dy, const Tensor& y) -> Gradients {
                  Tensor chosen(x.shape());  // 1 at each largest element, else 0
                  broadcast_map(
                      x.shape(), x.shape(), x.data(), kept, y.data(), chosen.data(),
                      [](Scalar v, Scalar best) { return static_cast<Scalar>(v == best); });
                  const Tensor count = scaled_sum("sum", chosen, mask, 1, kept);
                  return {chosen * (reshape(dy, kept) / count)};
                });
}

Tensor variance(const Tensor& x, const Axes& axes, bool keepdim) {
  require_defined("variance", {{"x", x}});
  const Tensor centred = x - mean(x, axes, kKeepDim);
  return mean(centred * centred, axes, keepdim);
}

Tensor sum_to(const Tensor& x, const Shape& shape) {
  require_defined("sum_to", {{"x", x}});
  if (x.shape() == shape) {
    return x;
  }
  check(broadcast_shapes("sum_to", x.shape(), shape) == x.shape(), "sum_to: ", shape,
        " does not broadcast to ", x.shape());
  const int extra = x.rank() - shape.rank();
  unsigned mask = 0;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (axis < extra || (shape[axis - extra] == 1 && x.size(axis) != 1)) {
      mask |= 1u << axis;
    }
  }
  return scaled_sum("sum", x, mask, 1, shape);
}

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  require_defined("broadcast_to", {{"x", x}});
  if (x.shape() == shape) {
    return x;
  }
  check(broadcast_shapes("broadcast_to", x.shape(), shape) == shape, "broadcast_to: ", x.shape(),
        " does not broadcast to ", shape);
  Tensor y(shape);
  const BroadcastPlan<1> plan(shape, {&x.shape()});
  if (repeats_short_row(plan, 0)) {
    short_row_runs(plan, 0, x.data(), [&](Index at, const Scalar* row, Index n) {
      std::copy_n(row, n, y.data() + at);
    });
  } else {
    broadcast_runs(plan, [&](Index offset, const std::array<Index, 1>& at, Index n) {
      const Scalar* from = x.data() + at[0];
      if (plan.strides[0][0] == 0) {
        std::fill(y.data() + offset, y.data() + offset + n, *from);
      } else {
        std::copy(from, from + n, y.data() + offset);
      }
    });
  }
  return record("broadcast_to", y, {x},
                [from = x.shape()](const Tensor& dy) -> Gradients { return {sum_to(dy, from)}; });
}

}  // namespace gradus

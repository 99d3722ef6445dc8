#include "autograd/ops/softmax.h"

#include <algorithm>
#include <limits>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/two_paths.h"

namespace gradus {
using namespace detail;
namespace {

constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();

/// Calls `row(x, y, n)` for each row of the last axis.
template <class Row>
void for_each_row(const Tensor& x, Tensor& y, Row row) {
  const Index n = x.size(-1);
  const Index rows = n == 0 ? 0 : x.size() / n;
  parallel_for(rows, row_grain({8, n}), [&, to = y.mutable_data()](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      row(x.data() + r * n, to + r * n, n);
    }
  });
}

void softmax_row(const Scalar* x, Scalar* y, Index n) {
  const Scalar top = row_max(x, n);
  if (top == -kInfinity) {
    // All masked (or NaN, which must not count as a mask).
    const Scalar sum = row_sum(x, n);
    std::fill(y, y + n, sum != sum ? sum : Scalar(0));
    return;
  }
  row_scale(y, 1 / row_exp(x, top, y, n), n);
}

void log_softmax_row(const Scalar* x, Scalar* y, Index n) {
  const Scalar top = row_max(x, n);
  const Scalar log_sum = std::log(row_sum_exp(x, top, n));
  for (Index i = 0; i < n; ++i) {
    // top first: beside a large top, rounding may lose the logarithm
    y[i] = (x[i] - top) - log_sum;
  }
}

/// dx = y (dy - sum(dy y)), with a kernel over rows, or with ops if the backward pass is itself
/// recorded.
Tensor softmax_backward(const Tensor& dy, const Tensor& y) {
  if (is_recording()) {
    return y * (dy - sum(dy * y, -1, {.keepdim = true}));
  }
  Tensor dx(y.shape());
  const Scalar* d = dy.data();
  for_each_row(y, dx, [d, first = y.data()](const Scalar* y, Scalar* dx, Index n) {
    const Scalar* dy = d + (y - first);
    const Scalar dot = row_dot(dy, y, n);
    for (Index i = 0; i < n; ++i) {
      dx[i] = y[i] * (dy[i] - dot);
    }
  });
  return dx;
}

/// The kernels work along the last axis; another axis is moved there and back.
template <class Op>
Tensor along_last(const Tensor& x, int axis, Op op) {
  return axis == x.rank() - 1 ? op(x) : transpose(op(transpose(x, axis, -1)), axis, -1);
}

/// The axis of `op`, counted from the first.
int axis_of(const char* op, const Tensor& x, int axis) {
  require_defined(op, {{"x", x}});
  return x.shape().axis_of(axis, op);
}

/// x minus its largest element along the axis, so that nothing overflows. Where all elements are
/// -inf, nothing is subtracted, because the result would be NaN.
Tensor shifted(const Tensor& x, int axis) {
  const Tensor top = max(x.detach(), axis, {.keepdim = true});
  return x - where(equal(top, -kInfinity), scalar(0), top);
}

Tensor fused_softmax(const Tensor& x, int axis) {
  return along_last(x, axis, [](const Tensor& x) {
    Tensor y(x.shape());
    for_each_row(x, y, softmax_row);
    return record("softmax", y, {x},
                  [](const Tensor& dy, const Tensor& y) { return softmax_backward(dy, y); });
  });
}

Tensor fused_log_softmax(const Tensor& x, int axis) {
  return along_last(x, axis, [](const Tensor& x) {
    Tensor y(x.shape());
    for_each_row(x, y, log_softmax_row);
    return record("log_softmax", y, {x}, [](const Tensor& dy, const Tensor& y) {
      return dy - exp(y) * sum(dy, -1, {.keepdim = true});
    });
  });
}

}  // namespace

Tensor softmax(const Tensor& x, int axis) {
  axis = axis_of("softmax", x, axis);
  if (uses_fused() || x.size() == 0) return fused_softmax(x, axis);  // max() needs an element
  const Tensor e = exp(shifted(x, axis));
  const Tensor total = sum(e, axis, {.keepdim = true});
  return e / where(equal(total, 0), scalar(1), total);  // 0 where all is masked
}

Tensor log_softmax(const Tensor& x, int axis) {
  axis = axis_of("log_softmax", x, axis);
  if (uses_fused() || x.size() == 0) return fused_log_softmax(x, axis);  // max() needs an element
  const Tensor below = shifted(x, axis);
  return below - log(sum(exp(below), axis, {.keepdim = true}));
}

}  // namespace gradus

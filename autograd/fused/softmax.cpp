#include "autograd/fused/softmax.h"

#include <algorithm>
#include <limits>

#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

namespace gradus::fused {
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
    // All masked (or NaN, which must not pass for a mask).
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
    y[i] = (x[i] - top) - log_sum;  // top first: it may be so large that it swallows the logarithm
  }
}

/// dx = y (dy - sum(dy y)), by a kernel over rows, or by ops when that itself is to be
/// differentiated.
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

/// The kernels work along the last axis; another axis is brought there and back.
template <class Op>
Tensor along_last(const Tensor& x, int axis, Op op) {
  return axis == x.rank() - 1 ? op(x) : transpose(op(transpose(x, axis, -1)), axis, -1);
}

}  // namespace

Tensor softmax(const Tensor& x, int axis) {
  return along_last(x, axis, [](const Tensor& x) {
    Tensor y(x.shape());
    for_each_row(x, y, softmax_row);
    return record("softmax", y, {x}, [](const Tensor& dy, const Tensor& y) -> Gradients {
      return {softmax_backward(dy, y)};
    });
  });
}

Tensor log_softmax(const Tensor& x, int axis) {
  return along_last(x, axis, [](const Tensor& x) {
    Tensor y(x.shape());
    for_each_row(x, y, log_softmax_row);
    return record("log_softmax", y, {x}, [](const Tensor& dy, const Tensor& y) -> Gradients {
      return {dy - exp(y) * sum(dy, -1, {.keepdim = true})};
    });
  });
}

}  // namespace gradus::fused

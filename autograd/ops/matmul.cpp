#include "autograd/ops/matmul.h"

#include <functional>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/blas.h"
#include "autograd/kernels/gemm_batches.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

namespace gradus {
using namespace detail;
namespace {

/// The sizes of one product, and the shape of all of them.
struct Sizes {
  Index m, n, k;
  Shape a_batch, b_batch, batch;
};

Shape batch_of(const Tensor& x) { return Shape(std::span(x.shape().begin(), x.shape().end() - 2)); }

Sizes fit(const Tensor& a, const Tensor& b, Transposed t) {
  check(a.rank() >= 2 && b.rank() >= 2, "matmul: needs at least two axes on both sides, got a ",
        a.shape(), " and b ", b.shape(), " (reshape a vector to [1, n] or [n, 1])");
  const Index k = a.size(t.a ? -2 : -1);
  const Index b_k = b.size(t.b ? -1 : -2);
  check(k == b_k, "matmul: inner sizes must match, got a ", a.shape(), t.a ? " transposed" : "",
        " and b ", b.shape(), t.b ? " transposed" : "", ": ", k, " is not ", b_k);
  Sizes s{a.size(t.a ? -1 : -2), b.size(t.b ? -2 : -1), k, batch_of(a), batch_of(b), {}};
  s.batch = broadcast_shapes("matmul", s.a_batch, s.b_batch);
  return s;
}

Tensor product(const Tensor& a, const Tensor& b, Transposed t, const Sizes& s) {
  Tensor y(s.batch.append(s.m, "matmul").append(s.n, "matmul"));
  gemm_batches(s.batch, s.m, s.n, s.k, s.a_batch, {a.data(), a.size(-1), t.a}, s.b_batch,
               {b.data(), b.size(-1), t.b}, y.mutable_data());
  return y;
}

/// x as a matrix: the last axis is its columns.
Tensor as_rows(const Tensor& x) {
  return reshape(x, Shape{x.shape().product(0, x.rank() - 1), x.size(-1)});
}

/// y = x w + b for each row of x, with w [in, out], or [out, in] if it is `transposed`. All batches
/// share w, so this is a single tall product. b may be undefined.
Tensor map_rows(const char* op, const Tensor& x, const Tensor& w, bool transposed,
                const Tensor& b) {
  const Index rows = x.shape().product(0, x.rank() - 1);
  const Index in = x.size(-1), out = w.size(transposed ? 0 : 1);
  Tensor y(x.shape().with(-1, out, op));
  gemm(rows, out, in, 1, {x.data(), in}, {w.data(), w.size(1), transposed}, 0, y.mutable_data(),
       out);
  if (b.defined()) {
    const Shape flat{rows, out};
    broadcast_map(flat, flat, y.data(), b.shape(), b.data(), y.mutable_data(), std::plus());
  }
  return record(
      op, y, {x, w, b},
      [w = Saved(w), transposed, in](const Tensor& dy) {
        const Tensor dx = matmul(as_rows(dy), w, {.b = !transposed});
        return reshape(dx, dy.shape().with(-1, in));
      },
      [x = Saved(x), transposed](const Tensor& dy) {
        const Tensor d = as_rows(dy), rows = as_rows(x);
        return transposed ? matmul(d, rows, {.a = true}) : matmul(rows, d, {.a = true});
      },
      [](const Tensor& dy) { return sum(as_rows(dy), 0); });
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, Transposed t) {
  require_defined("matmul", {{"a", a}, {"b", b}});
  const Sizes s = fit(a, b, t);
  if (b.rank() == 2 && a.rank() > 2 && !t.a) return map_rows("matmul", a, b, t.b, Tensor());
  return record(
      "matmul", product(a, b, t, s), {a, b},
      [b = Saved(b), t](const Tensor& dy) {  // dA = dY B^T, or its transpose
        return t.a ? matmul(b, dy, {.a = t.b, .b = true}) : matmul(dy, b, {.b = !t.b});
      },
      [a = Saved(a), t](const Tensor& dy) {  // dB = A^T dY, or its transpose
        return t.b ? matmul(dy, a, {.a = true, .b = t.a}) : matmul(a, dy, {.a = !t.a});
      });
}

Tensor linear(const Tensor& x, const Tensor& w, const Tensor& b) {
  require_defined("linear", {{"x", x}, {"w", w}});
  check(x.rank() >= 1 && w.rank() == 2 && x.size(-1) == w.size(0),
        "linear: needs x [..., in] and w [in, out], got x ", x.shape(), " and w ", w.shape());
  check(!b.defined() || b.shape() == Shape{w.size(1)}, "linear: needs b [out], got w ", w.shape(),
        " and b ", ShapeOf{b});
  return map_rows("linear", x, w, false, b);
}

}  // namespace gradus

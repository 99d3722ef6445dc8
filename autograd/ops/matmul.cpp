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

/// y = x w + b for each row of x, with w [in, out], or [out, in] if it is `transposed`: one matrix
/// for all batches makes a single tall product. b may be undefined.
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
  const auto gradients = [x = saved_for(w, x), w = saved_for(x, w), transposed](
                             const Tensor& dy, const Wanted& wanted) -> Gradients {
    const Tensor d = as_rows(dy);
    Tensor dx, dw;
    if (wanted[0]) dx = reshape(matmul(d, w, {.b = !transposed}), wanted.shape(0));
    if (wanted[1]) {
      const Tensor x_rows = as_rows(x);
      dw = transposed ? matmul(d, x_rows, {.a = true}) : matmul(x_rows, d, {.a = true});
    }
    return {dx, dw, wanted[2] ? sum(d, 0) : Tensor()};
  };
  return record(op, y, {x, w, b}, gradients);
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, Transposed t) {
  require_defined("matmul", {{"a", a}, {"b", b}});
  const Sizes s = fit(a, b, t);
  if (b.rank() == 2 && a.rank() > 2 && !t.a) return map_rows("matmul", a, b, t.b, Tensor());
  const auto gradients = [a = saved_for(b, a), b = saved_for(a, b), t](
                             const Tensor& dy, const Wanted& wanted) -> Gradients {
    Tensor da, db;
    if (wanted[0]) {  // dA = dY B^T   [M x N] [N x K], or its transpose
      da = t.a ? matmul(b, dy, {.a = t.b, .b = true}) : matmul(dy, b, {.b = !t.b});
      da = sum_to(da, wanted.shape(0));
    }
    if (wanted[1]) {  // dB = A^T dY   [K x M] [M x N], or its transpose
      db = t.b ? matmul(dy, a, {.a = true, .b = t.a}) : matmul(a, dy, {.a = !t.a});
      db = sum_to(db, wanted.shape(1));
    }
    return {da, db};
  };
  return record("matmul", product(a, b, t, s), {a, b}, gradients);
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

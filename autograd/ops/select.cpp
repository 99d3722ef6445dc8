#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/index.h"
#include "autograd/ops/reduce.h"

namespace gradus {
namespace {

/// Calls body(read), where read(i) is p[i] or, for an operand that does not move, always p[0]. A
/// type of its own for either, so that the loop inside vectorises.
template <class T, class Body>
void with_reader(const T* p, bool moves, Body&& body) {
  if (moves) {
    body([p](Index i) { return p[i]; });
  } else {
    body([value = *p](Index) { return value; });
  }
}

/// y = a where the condition holds, else b. The shape of y is `out`.
Tensor choose(const Shape& out, const IndexTensor& condition, const Tensor& a, const Tensor& b) {
  Tensor y(out);
  const BroadcastPlan<3> plan(out, {&condition.shape(), &a.shape(), &b.shape()});
  const auto moves = [&](int k) { return plan.strides[k][0] != 0; };
  const std::int32_t* from_condition = condition.data();
  const Scalar* from_a = a.data();
  const Scalar* from_b = b.data();
  Scalar* to = y.data();
  broadcast_runs(plan, [&](Index offset, const std::array<Index, 3>& at, Index n) {
    if (n == 0) {
      return;
    }
    Scalar* run = to + offset;
    with_reader(from_condition + at[0], moves(0), [&](auto holds) {
      with_reader(from_a + at[1], moves(1), [&](auto p) {
        with_reader(from_b + at[2], moves(2), [&](auto q) {
          for (Index i = 0; i < n; ++i) {
            const Scalar yes = p(i), no = q(i);
            run[i] = holds(i) != 0 ? yes : no;
          }
        });
      });
    });
  });
  return y;
}

/// y = f(a, b), broadcast, as 0 or 1.
template <class F>
IndexTensor compare(const char* op, const Tensor& a, const Tensor& b, F f) {
  require_defined(op, {{"a", a}, {"b", b}});
  IndexTensor y(broadcast_shapes(op, a.shape(), b.shape()));
  const BroadcastPlan<2> plan(y.shape(), {&a.shape(), &b.shape()});
  const Scalar* from_a = a.data();
  const Scalar* from_b = b.data();
  std::int32_t* to = y.data();
  broadcast_runs(plan, [&](Index offset, const std::array<Index, 2>& at, Index n) {
    if (n == 0) {
      return;
    }
    std::int32_t* run = to + offset;
    with_reader(from_a + at[0], plan.strides[0][0] != 0, [&](auto p) {
      with_reader(from_b + at[1], plan.strides[1][0] != 0, [&](auto q) {
        for (Index i = 0; i < n; ++i) {
          run[i] = f(p(i), q(i));
        }
      });
    });
  });
  return y;
}

}  // namespace

Tensor where(const IndexTensor& condition, const Tensor& a, const Tensor& b) {
  require_defined("where", {{"condition", condition}, {"a", a}, {"b", b}});
  const Shape out =
      broadcast_shapes("where", condition.shape(), broadcast_shapes("where", a.shape(), b.shape()));
  // saved: the condition, not a and b
  return record("where", choose(out, condition, a, b), {a, b},
                [condition](const Tensor& dy, const Wanted& wanted) -> Gradients {
                  const Tensor zero = scalar(0);
                  return {
                      wanted[0] ? sum_to(where(condition, dy, zero), wanted.shape(0)) : Tensor(),
                      wanted[1] ? sum_to(where(condition, zero, dy), wanted.shape(1)) : Tensor()};
                });
}

Tensor masked_fill(const Tensor& x, const IndexTensor& mask, Scalar value) {
  require_defined("masked_fill", {{"x", x}, {"mask", mask}});
  check(broadcast_shapes("masked_fill", x.shape(), mask.shape()) == x.shape(),
        "masked_fill: the mask must broadcast to x, got x ", x.shape(), " and mask ", mask.shape());
  return record("masked_fill", choose(x.shape(), mask, scalar(value), x), {x},
                [mask](const Tensor& dy) -> Gradients { return {masked_fill(dy, mask, 0)}; });
}

IndexTensor greater(const Tensor& a, const Tensor& b) {
  return compare("greater", a, b, [](Scalar p, Scalar q) { return p > q; });
}

IndexTensor less(const Tensor& a, const Tensor& b) {
  return compare("less", a, b, [](Scalar p, Scalar q) { return p < q; });
}

IndexTensor equal(const Tensor& a, const Tensor& b) {
  return compare("equal", a, b, [](Scalar p, Scalar q) { return p == q; });
}

IndexTensor greater(const Tensor& a, Scalar s) { return greater(a, scalar(s)); }
IndexTensor less(const Tensor& a, Scalar s) { return less(a, scalar(s)); }
IndexTensor equal(const Tensor& a, Scalar s) { return equal(a, scalar(s)); }

IndexTensor causal_mask(Index targets, Index sources) {
  IndexTensor mask(Shape(std::array{targets, sources}, "causal_mask"));
  for (Index t = 0; t < targets; ++t) {
    std::int32_t* row = mask.data() + t * sources;
    std::fill_n(row, std::clamp<Index>(t + sources - targets + 1, 0, sources), 1);
  }
  return mask;
}

IndexTensor causal_mask(Index targets) { return causal_mask(targets, targets); }

}  // namespace gradus

#include "autograd/ops/arithmetic.h"

#include <cmath>

#include "autograd/graph.h"
#include "autograd/kernels/elementwise.h"
#include "autograd/ops/reduce.h"

namespace gradus {
namespace {

/// y = f(a, b), broadcast.
template <class F>
Tensor combine(const char* op, const Tensor& a, const Tensor& b, F f) {
  Tensor y(broadcast_shapes(op, a.shape(), b.shape()));
  broadcast_map(y.shape(), a.shape(), a.data(), b.shape(), b.data(), y.data(), f);
  return y;
}

/// y = f(x).
template <class F>
Tensor apply(const Tensor& x, F f) {
  Tensor y(x.shape());
  map(x.size(), x.data(), y.data(), f);
  return y;
}

/// Undoes broadcasting: sums both gradients down to the shapes of the arguments they belong to.
Gradients unbroadcast(const Tensor& da, const Shape& a, const Tensor& db, const Shape& b) {
  return {sum_to(da, a), sum_to(db, b)};
}

/// 1 where x > 0, -1 where x < 0, 0 at 0.
Tensor sign(const Tensor& x) {
  return apply(x, [](Scalar v) { return static_cast<Scalar>((v > 0) - (v < 0)); });
}

}  // namespace

Tensor operator+(const Tensor& a, const Tensor& b) {
  Tensor y = combine("add", a, b, [](Scalar p, Scalar q) { return p + q; });
  return record("add", y, {a, b}, [a = a.shape(), b = b.shape()](const Tensor& dy) -> Gradients {
    return unbroadcast(dy, a, dy, b);
  });
}

Tensor operator-(const Tensor& a, const Tensor& b) {
  Tensor y = combine("sub", a, b, [](Scalar p, Scalar q) { return p - q; });
  return record("sub", y, {a, b}, [a = a.shape(), b = b.shape()](const Tensor& dy) -> Gradients {
    return unbroadcast(dy, a, -dy, b);
  });
}

Tensor operator*(const Tensor& a, const Tensor& b) {
  Tensor y = combine("mul", a, b, [](Scalar p, Scalar q) { return p * q; });
  return record("mul", y, {a, b}, [a, b](const Tensor& dy) -> Gradients {
    return {a.requires_grad() ? sum_to(dy * b, a.shape()) : Tensor(),
            b.requires_grad() ? sum_to(dy * a, b.shape()) : Tensor()};
  });
}

Tensor operator/(const Tensor& a, const Tensor& b) {
  Tensor y = combine("div", a, b, [](Scalar p, Scalar q) { return p / q; });
  return record("div", y, {a, b},
                [a = a.shape(), b](const Tensor& dy, const Tensor& y) -> Gradients {
                  const Tensor da = dy / b;
                  return unbroadcast(da, a, -(da * y), b.shape());  // a / b^2 = y / b
                });
}

Tensor operator+(const Tensor& a, Scalar s) {
  Tensor y = apply(a, [s](Scalar v) { return v + s; });
  return record("add", y, {a}, [](const Tensor& dy) -> Gradients { return {dy}; });
}

Tensor operator*(const Tensor& a, Scalar s) {
  Tensor y = apply(a, [s](Scalar v) { return v * s; });
  return record("mul", y, {a}, [s](const Tensor& dy) -> Gradients { return {dy * s}; });
}

Tensor operator-(Scalar s, const Tensor& a) {
  Tensor y = apply(a, [s](Scalar v) { return s - v; });
  return record("sub", y, {a}, [](const Tensor& dy) -> Gradients { return {-dy}; });
}

Tensor operator/(const Tensor& a, Scalar s) {
  Tensor y = apply(a, [s](Scalar v) { return v / s; });
  return record("div", y, {a}, [s](const Tensor& dy) -> Gradients { return {dy / s}; });
}

Tensor operator/(Scalar s, const Tensor& a) {
  Tensor y = apply(a, [s](Scalar v) { return s / v; });
  return record("div", y, {a}, [a](const Tensor& dy, const Tensor& y) -> Gradients {
    return {-(dy * y / a)};  // s / a^2 = y / a
  });
}

Tensor operator+(Scalar s, const Tensor& a) { return a + s; }
Tensor operator-(const Tensor& a, Scalar s) { return a + -s; }
Tensor operator*(Scalar s, const Tensor& a) { return a * s; }

Tensor operator-(const Tensor& x) {
  Tensor y = apply(x, [](Scalar v) { return -v; });
  return record("neg", y, {x}, [](const Tensor& dy) -> Gradients { return {-dy}; });
}

Tensor pow(const Tensor& x, Scalar exponent) {
  Tensor y = exponent == 2 ? apply(x, [](Scalar v) { return v * v; })
                           : apply(x, [exponent](Scalar v) { return std::pow(v, exponent); });
  return record("pow", y, {x}, [x, exponent](const Tensor& dy) -> Gradients {
    if (exponent == 0) {
      return {dy * 0};  // x^-1 would be infinite at 0
    }
    return {exponent == 1 ? dy : dy * (pow(x, exponent - 1) * exponent)};
  });
}

Tensor abs(const Tensor& x) {
  Tensor y = apply(x, [](Scalar v) { return std::abs(v); });
  return record("abs", y, {x}, [x](const Tensor& dy) -> Gradients { return {dy * sign(x)}; });
}

Tensor maximum(const Tensor& a, const Tensor& b) {
  // a != a: NaN wins, from either side.
  Tensor y = combine("maximum", a, b, [](Scalar p, Scalar q) { return p > q || p != p ? p : q; });
  return record("maximum", y, {a, b}, [a, b](const Tensor& dy) -> Gradients {
    const Tensor share = combine("maximum", a, b, [](Scalar p, Scalar q) {
      return p > q ? Scalar(1) : p == q ? Scalar(0.5) : Scalar(0);
    });
    return unbroadcast(dy * share, a.shape(), dy * (1 - share), b.shape());
  });
}

void add_in_place(Tensor& a, const Tensor& b) {
  map(a.size(), a.data(), b.data(), a.data(), [](Scalar p, Scalar q) { return p + q; });
}

}  // namespace gradus

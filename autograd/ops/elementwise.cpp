#include "autograd/ops/elementwise.h"

#include <cmath>

#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/one_pass.h"
#include "autograd/ops/reduce.h"

namespace gradus {
namespace {

/// y = f(a, b), broadcast.
template <class F>
Tensor combine(const char* op, const Tensor& a, const Tensor& b, F f) {
  require_defined(op, {{"a", a}, {"b", b}});
  Tensor y(broadcast_shapes(op, a.shape(), b.shape()));
  broadcast_map(y.shape(), a.shape(), a.data(), b.shape(), b.data(), y.data(), f);
  return y;
}

/// y = f(a), where f knows a number.
template <class F>
Tensor with_number(const char* op, const Tensor& a, F f) {
  require_defined(op, {{"a", a}});
  return elementwise(op, a, f);
}

/// What `gradient` returns as the gradient of input i, broadcasting undone; none if it is not
/// wanted.
template <class F>
Tensor share(const Wanted& wanted, std::size_t i, F gradient) {
  return wanted[i] ? sum_to(gradient(), wanted.shape(i)) : Tensor();
}

}  // namespace

Tensor operator+(const Tensor& a, const Tensor& b) {
  Tensor y = combine("add", a, b, [](Scalar p, Scalar q) { return p + q; });
  return record("add", y, {a, b}, [](const Tensor& dy, const Wanted& wanted) -> Gradients {
    return {share(wanted, 0, [&] { return dy; }), share(wanted, 1, [&] { return dy; })};
  });
}

Tensor operator-(const Tensor& a, const Tensor& b) {
  Tensor y = combine("sub", a, b, [](Scalar p, Scalar q) { return p - q; });
  return record("sub", y, {a, b}, [](const Tensor& dy, const Wanted& wanted) -> Gradients {
    return {share(wanted, 0, [&] { return dy; }), share(wanted, 1, [&] { return -dy; })};
  });
}

Tensor operator*(const Tensor& a, const Tensor& b) {
  Tensor y = combine("mul", a, b, [](Scalar p, Scalar q) { return p * q; });
  // saved: of each the one whose partner wants a gradient
  return record(
      "mul", y, {a, b},
      [a = saved_for(b, a), b = saved_for(a, b)](const Tensor& dy,
                                                 const Wanted& wanted) -> Gradients {
        return {share(wanted, 0, [&] { return dy * b; }), share(wanted, 1, [&] { return dy * a; })};
      });
}

Tensor operator/(const Tensor& a, const Tensor& b) {
  Tensor y = combine("div", a, b, [](Scalar p, Scalar q) { return p / q; });
  if (!b.requires_grad()) {  // saved: b, not y
    return record("div", y, {a, b}, [b](const Tensor& dy, const Wanted& wanted) -> Gradients {
      return {share(wanted, 0, [&] { return dy / b; }), Tensor()};
    });
  }
  // saved: b, y
  return record("div", y, {a, b},
                [b](const Tensor& dy, const Tensor& y, const Wanted& wanted) -> Gradients {
                  const Tensor da = dy / b;
                  return {share(wanted, 0, [&] { return da; }), share(wanted, 1, [&] {
                            // a / b^2 = y / b
                            return one_pass(da, y, [](auto da, auto y) { return -(da * y); });
                          })};
                });
}

Tensor operator+(const Tensor& a, Scalar s) {
  Tensor y = with_number("add", a, [s](Scalar v) { return v + s; });
  return record("add", y, {a}, [](const Tensor& dy) -> Gradients { return {dy}; });
}

Tensor operator-(const Tensor& a, Scalar s) {
  Tensor y = with_number("sub", a, [s](Scalar v) { return v - s; });
  return record("sub", y, {a}, [](const Tensor& dy) -> Gradients { return {dy}; });
}

Tensor operator*(const Tensor& a, Scalar s) {
  Tensor y = with_number("mul", a, [s](Scalar v) { return v * s; });
  return record("mul", y, {a}, [s](const Tensor& dy) -> Gradients { return {dy * s}; });
}

Tensor operator-(Scalar s, const Tensor& a) {
  Tensor y = with_number("sub", a, [s](Scalar v) { return s - v; });
  return record("sub", y, {a}, [](const Tensor& dy) -> Gradients { return {-dy}; });
}

Tensor operator/(const Tensor& a, Scalar s) {
  Tensor y = with_number("div", a, [s](Scalar v) { return v / s; });
  return record("div", y, {a}, [s](const Tensor& dy) -> Gradients { return {dy / s}; });
}

Tensor operator/(Scalar s, const Tensor& a) {
  Tensor y = with_number("div", a, [s](Scalar v) { return s / v; });
  return record("div", y, {a}, [a](const Tensor& dy, const Tensor& y) -> Gradients {
    return {-(dy * y / a)};  // s / a^2 = y / a
  });
}

Tensor operator+(Scalar s, const Tensor& a) { return a + s; }
Tensor operator*(Scalar s, const Tensor& a) { return a * s; }

Tensor operator-(const Tensor& x) {
  Tensor y = elementwise("neg", x, [](Scalar v) { return -v; });
  return record("neg", y, {x}, [](const Tensor& dy) -> Gradients { return {-dy}; });
}

Tensor pow(const Tensor& x, Scalar exponent) {
  // std::pow takes twenty times as long as two products.
  const auto power = [&](auto f) { return elementwise("pow", x, f); };
  Tensor y = exponent == 2   ? power([](Scalar v) { return v * v; })
             : exponent == 3 ? power([](Scalar v) { return v * v * v; })
                             : power([exponent](Scalar v) { return std::pow(v, exponent); });
  return record("pow", y, {x}, [x, exponent](const Tensor& dy) -> Gradients {
    if (exponent == 0) return {dy * 0};  // x^-1 would be infinite at 0
    if (exponent == 1) return {dy};
    if (exponent == 2) return {one_pass(dy, x, [](auto dy, auto x) { return dy * (x * 2); })};
    if (exponent == 3) return {one_pass(dy, x, [](auto dy, auto x) { return dy * (x * x * 3); })};
    return {dy * (pow(x, exponent - 1) * exponent)};
  });
}

Tensor abs(const Tensor& x) {
  Tensor y = elementwise("abs", x, [](Scalar v) { return std::abs(v); });
  return record("abs", y, {x}, [x](const Tensor& dy) -> Gradients {
    return {by_case("abs gradient", dy, x, [](Scalar dy, Scalar x) {
      return x > 0 ? dy : x < 0 ? -dy : 0;
    })};
  });
}

Tensor maximum(const Tensor& a, const Tensor& b) {
  // a != a: NaN wins, from either side.
  Tensor y = combine("maximum", a, b, [](Scalar p, Scalar q) { return p > q || p != p ? p : q; });
  // saved: a, b
  return record(
      "maximum", y, {a, b},
      [a = a.detach(), b = b.detach()](const Tensor& dy, const Wanted& wanted) -> Gradients {
        const Tensor won = combine("maximum", a, b, [](Scalar p, Scalar q) {
          return p > q ? Scalar(1) : p == q ? Scalar(0.5) : Scalar(0);
        });
        // The loser's is 0 whatever dy is, infinite too.
        const auto of_a = [](Scalar dy, Scalar won) { return won == 0 ? 0 : dy * won; };
        const auto of_b = [](Scalar dy, Scalar won) { return won == 1 ? 0 : dy * (1 - won); };
        return {share(wanted, 0, [&] { return by_case("maximum gradient", dy, won, of_a); }),
                share(wanted, 1, [&] { return by_case("maximum gradient", dy, won, of_b); })};
      });
}

void add_in_place(Tensor& a, const Tensor& b) {
  map(a.size(), a.data(), b.data(), a.data(), [](Scalar p, Scalar q) { return p + q; });
}

}  // namespace gradus

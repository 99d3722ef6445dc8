#include "autograd/ops/arithmetic.h"

#include <cmath>
#include <functional>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/one_pass.h"

namespace gradus {
using namespace detail;
namespace {

/// Gives an input the gradient of the result.
constexpr auto kPassOn = [](const Tensor& dy) { return dy; };

/// Returns y, which an op like += is about to replace. Throws if y is a leaf with a gradient.
const Tensor& no_leaf(const char* op, const Tensor& y) {
  require_defined(op, {{"y", y}});
  check(!y.requires_grad() || !y.node()->is_leaf(), op, ": the tensor of shape ", y.shape(),
        " is a leaf that collects a gradient; the result would not collect one (give the result a "
        "new name, or write to mutable_data())");
  return y;
}

}  // namespace

Tensor operator+(const Tensor& a, const Tensor& b) {
  return record("add", combine("add", a, b, std::plus()), {a, b}, kPassOn, kPassOn);
}

Tensor operator-(const Tensor& a, const Tensor& b) {
  return record("sub", combine("sub", a, b, std::minus()), {a, b}, kPassOn,
                [](const Tensor& dy) { return -dy; });
}

Tensor operator*(const Tensor& a, const Tensor& b) {
  return record(
      "mul", combine("mul", a, b, std::multiplies()), {a, b},
      [b = Saved(b)](const Tensor& dy) { return dy * b; },
      [a = Saved(a)](const Tensor& dy) { return dy * a; });
}

Tensor operator/(const Tensor& a, const Tensor& b) {
  Tensor y = combine("div", a, b, std::divides());
  if (!wants_gradient(b)) {  // y need not be saved
    return record("div", y, {a, b}, [b = Saved(b)](const Tensor& dy) -> Gradients {
      return {dy / b, Tensor()};
    });
  }
  return record(
      "div", y, {a, b},
      [b = Saved(b)](const Tensor& dy, const Tensor& y, const Wanted& wanted) -> Gradients {
        const Tensor da = dy / b;  // part of both gradients, as a / b^2 = y / b
        if (!wanted[1]) return {da, Tensor()};
        return {da, one_pass(da, y, [](auto da, auto y) { return -(da * y); })};
      });
}

Tensor operator+(const Tensor& x, Scalar s) {
  return saves_nothing(
      "add", x, [s](Scalar v) { return v + s; }, kPassOn);
}

Tensor operator-(const Tensor& x, Scalar s) {
  return saves_nothing(
      "sub", x, [s](Scalar v) { return v - s; }, kPassOn);
}

Tensor operator-(Scalar s, const Tensor& x) {
  return saves_nothing(
      "sub", x, [s](Scalar v) { return s - v; }, std::negate());
}

Tensor operator*(const Tensor& x, Scalar s) {
  const auto times_s = [s](const auto& v) { return v * s; };  // for numbers, and for the gradient
  return saves_nothing("mul", x, times_s, times_s);
}

Tensor operator/(const Tensor& x, Scalar s) {
  const auto over_s = [s](const auto& v) { return v / s; };
  return saves_nothing("div", x, over_s, over_s);
}

Tensor operator/(Scalar s, const Tensor& x) {
  const auto s_over = [s](const auto& v) { return s / v; };
  return saves_argument("div", x, s_over, [=](auto dy, auto x) { return -(dy * s_over(x) / x); });
}

Tensor operator+(Scalar s, const Tensor& x) { return x + s; }
Tensor operator*(Scalar s, const Tensor& x) { return x * s; }

Tensor operator-(const Tensor& x) { return saves_nothing("neg", x, std::negate(), std::negate()); }

Tensor pow(const Tensor& x, Scalar exponent) {
  // std::pow takes twenty times as long as two products.
  const auto power = [&](auto f) { return elementwise("pow", x, f); };
  Tensor y = exponent == 2   ? power([](Scalar v) { return v * v; })
             : exponent == 3 ? power([](Scalar v) { return v * v * v; })
                             : power([exponent](Scalar v) { return std::pow(v, exponent); });
  return record("pow", y, {x}, [x = Saved(x), exponent](const Tensor& dy) {
    if (exponent == 0) return zeros(dy.shape());  // x^-1 would be infinite at 0
    if (exponent == 1) return dy;
    if (exponent == 2) return one_pass(dy, x, [](auto dy, auto x) { return dy * (x * 2); });
    if (exponent == 3) return one_pass(dy, x, [](auto dy, auto x) { return dy * (x * x * 3); });
    return dy * (pow(x, exponent - 1) * exponent);
  });
}

Tensor clamp(const Tensor& x, Scalar low, Scalar high) {
  check(low <= high, "clamp: needs low <= high, got ", low, " and ", high);
  Tensor y = elementwise("clamp", x, [=](Scalar v) { return v < low ? low : v > high ? high : v; });
  return record("clamp", y, {x}, [=, x = Saved(x)](const Tensor& dy) {
    return by_case("clamp gradient", dy, x,
                   [=](Scalar dy, Scalar x) { return low <= x && x <= high ? dy : 0; });
  });
}

void detail::add_in_place(Tensor& a, const Tensor& b) {
  require_defined("add_in_place", {{"a", a}, {"b", b}});
  check(a.shape() == b.shape(), "add_in_place: needs one shape, got ", a.shape(), " and ",
        b.shape());
  map(a.size(), a.data(), b.data(), a.mutable_data(), std::plus());
}

Tensor abs(const Tensor& x) {
  Tensor y = elementwise("abs", x, [](Scalar v) { return std::abs(v); });
  return record("abs", y, {x}, [x = Saved(x)](const Tensor& dy) {
    return by_case("abs gradient", dy, x, [](Scalar dy, Scalar x) {
      return x > 0 ? dy : x < 0 ? -dy : 0;
    });
  });
}

Tensor maximum(const Tensor& a, const Tensor& b) {
  const char* gradient = "maximum gradient";
  const auto share_of_a = [=, a = Saved(a.detach()), b = Saved(b.detach())] {
    return combine(gradient, a, b, [](Scalar p, Scalar q) {
      return p > q ? Scalar(1) : p == q ? Scalar(0.5) : Scalar(0);
    });
  };
  // p != p: NaN wins, from either side. The loser's gradient is 0 even where dy is infinite.
  const auto larger = [](Scalar p, Scalar q) { return p > q || p != p ? p : q; };
  return record(
      "maximum", combine("maximum", a, b, larger), {a, b},
      [=](const Tensor& dy) {
        return by_case(gradient, dy, share_of_a(),
                       [](Scalar dy, Scalar share) { return share == 0 ? 0 : dy * share; });
      },
      [=](const Tensor& dy) {
        return by_case(gradient, dy, share_of_a(),
                       [](Scalar dy, Scalar share) { return share == 1 ? 0 : dy * (1 - share); });
      });
}

Tensor minimum(const Tensor& a, const Tensor& b) {
  require_defined("minimum", {{"a", a}, {"b", b}});
  broadcast_shapes("minimum", a.shape(), b.shape());
  return -maximum(-a, -b);
}

Tensor& operator+=(Tensor& y, const Tensor& x) { return y = no_leaf("+=", y) + x; }
Tensor& operator-=(Tensor& y, const Tensor& x) { return y = no_leaf("-=", y) - x; }
Tensor& operator*=(Tensor& y, const Tensor& x) { return y = no_leaf("*=", y) * x; }
Tensor& operator/=(Tensor& y, const Tensor& x) { return y = no_leaf("/=", y) / x; }
Tensor& operator+=(Tensor& y, Scalar s) { return y = no_leaf("+=", y) + s; }
Tensor& operator-=(Tensor& y, Scalar s) { return y = no_leaf("-=", y) - s; }
Tensor& operator*=(Tensor& y, Scalar s) { return y = no_leaf("*=", y) * s; }
Tensor& operator/=(Tensor& y, Scalar s) { return y = no_leaf("/=", y) / s; }

}  // namespace gradus

#include "autograd/ops/elementwise.h"

#include <cmath>
#include <functional>
#include <numbers>

#include "autograd/fused/activation.h"
#include "autograd/fused/fused.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/vector_math.h"
#include "autograd/ops/one_pass.h"

namespace gradus {
using namespace detail;
namespace {

/// The gradient dx = dy.
constexpr auto kSame = [](const Tensor& dy) { return dy; };

}  // namespace

Tensor operator+(const Tensor& a, const Tensor& b) {
  Tensor y = combine("add", a, b, std::plus());
  return record("add", y, {a, b}, [](const Tensor& dy, const Wanted& wanted) -> Gradients {
    return {if_wanted(wanted, 0, [&] { return dy; }), if_wanted(wanted, 1, [&] { return dy; })};
  });
}

Tensor operator-(const Tensor& a, const Tensor& b) {
  Tensor y = combine("sub", a, b, std::minus());
  return record("sub", y, {a, b}, [](const Tensor& dy, const Wanted& wanted) -> Gradients {
    return {if_wanted(wanted, 0, [&] { return dy; }), if_wanted(wanted, 1, [&] { return -dy; })};
  });
}

Tensor operator*(const Tensor& a, const Tensor& b) {
  Tensor y = combine("mul", a, b, std::multiplies());
  return record("mul", y, {a, b},
                [a = saved_for(b, a), b = saved_for(a, b)](const Tensor& dy,
                                                           const Wanted& wanted) -> Gradients {
                  return {if_wanted(wanted, 0, [&] { return dy * b; }),
                          if_wanted(wanted, 1, [&] { return dy * a; })};
                });
}

Tensor operator/(const Tensor& a, const Tensor& b) {
  Tensor y = combine("div", a, b, std::divides());
  if (!b.requires_grad()) {  // y need not be saved
    return record("div", y, {a, b},
                  [b = Saved(b)](const Tensor& dy, const Wanted& wanted) -> Gradients {
                    return {if_wanted(wanted, 0, [&] { return dy / b; }), Tensor()};
                  });
  }
  return record(
      "div", y, {a, b},
      [b = Saved(b)](const Tensor& dy, const Tensor& y, const Wanted& wanted) -> Gradients {
        const Tensor da = dy / b;
        return {if_wanted(wanted, 0, [&] { return da; }), if_wanted(wanted, 1, [&] {
                  // a / b^2 = y / b
                  return one_pass(da, y, [](auto da, auto y) { return -(da * y); });
                })};
      });
}

Tensor operator+(const Tensor& x, Scalar s) {
  return saves_nothing(
      "add", x, [s](Scalar v) { return v + s; }, kSame);
}

Tensor operator-(const Tensor& x, Scalar s) {
  return saves_nothing(
      "sub", x, [s](Scalar v) { return v - s; }, kSame);
}

Tensor operator-(Scalar s, const Tensor& x) {
  return saves_nothing(
      "sub", x, [s](Scalar v) { return s - v; }, std::negate());
}

Tensor operator*(const Tensor& x, Scalar s) {
  const auto times_s = [s](const auto& v) { return v * s; };  // of a number, and of the gradient
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
  return record("pow", y, {x}, [x = Saved(x), exponent](const Tensor& dy) -> Gradients {
    if (exponent == 0) return {zeros(dy.shape())};  // x^-1 would be infinite at 0
    if (exponent == 1) return {dy};
    if (exponent == 2) return {one_pass(dy, x, [](auto dy, auto x) { return dy * (x * 2); })};
    if (exponent == 3) return {one_pass(dy, x, [](auto dy, auto x) { return dy * (x * x * 3); })};
    return {dy * (pow(x, exponent - 1) * exponent)};
  });
}

Tensor clamp(const Tensor& x, Scalar low, Scalar high) {
  check(low <= high, "clamp: needs low <= high, got ", low, " and ", high);
  Tensor y = elementwise("clamp", x, [=](Scalar v) { return v < low ? low : v > high ? high : v; });
  return record("clamp", y, {x}, [=, x = Saved(x)](const Tensor& dy) -> Gradients {
    return {by_case("clamp gradient", dy, x,
                    [=](Scalar dy, Scalar x) { return low <= x && x <= high ? dy : 0; })};
  });
}

void detail::add_in_place(Tensor& a, const Tensor& b) {
  require_defined("add_in_place", {{"a", a}, {"b", b}});
  check(a.shape() == b.shape(), "add_in_place: needs one shape, got ", a.shape(), " and ",
        b.shape());
  map(a.size(), a.data(), b.data(), a.mutable_data(), std::plus());
}

Tensor exp(const Tensor& x) {
  return saves_result(
      "exp", x, [](Scalar v) { return exp_of(v); }, [](auto dy, auto y) { return dy * y; });
}

Tensor log(const Tensor& x) {
  return saves_argument(
      "log", x, [](Scalar v) { return log_of(v); }, [](auto dy, auto x) { return dy / x; });
}

Tensor sqrt(const Tensor& x) {
  return saves_result(
      "sqrt", x, [](Scalar v) { return std::sqrt(v); },
      [](auto dy, auto y) { return dy / (y * 2); });
}

Tensor tanh(const Tensor& x) {
  return saves_result(
      "tanh", x, [](Scalar v) { return tanh_of(v); },
      [](auto dy, auto y) { return dy * (1 - y * y); });
}

Tensor sigmoid(const Tensor& x) {
  return saves_result(
      "sigmoid", x, [](Scalar v) { return sigmoid_of(v); },
      [](auto dy, auto y) { return dy * (y * (1 - y)); });
}

Tensor relu(const Tensor& x) {
  Tensor y = elementwise("relu", x, [](Scalar v) { return v < 0 ? Scalar(0) : v; });
  return record("relu", y, {x}, [](const Tensor& dy, const Tensor& y) -> Gradients {
    return {by_case("relu gradient", dy, y, [](Scalar dy, Scalar y) { return y > 0 ? dy : 0; })};
  });
}

Tensor gelu(const Tensor& x) {
  require_defined("gelu", {{"x", x}});
  if (uses_fused()) return fused::gelu(x);
  const Scalar scale = static_cast<Scalar>(std::sqrt(2 * std::numbers::inv_pi));
  const Tensor v = clamp(x, -30, 30);  // beyond, tanh is 1 to the last bit, and v^3 may overflow
  const Tensor u = scale * (v + Scalar(0.044715) * (v * v * v));
  return Scalar(0.5) * x * (1 + tanh(u));
}

}  // namespace gradus

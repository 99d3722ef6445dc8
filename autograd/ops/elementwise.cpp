#include "autograd/ops/elementwise.h"

#include <cmath>
#include <functional>

#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/vector_math.h"
#include "autograd/ops/one_pass.h"
#include "autograd/ops/reduce.h"

namespace gradus {
namespace {

// --- one tensor: y = f(x), by what the gradient needs ---

/// The gradient dx = dy.
constexpr auto kSame = [](const Tensor& dy) { return dy; };

/// dx = formula(dy): nothing is saved.
template <class F, class Formula>
Tensor saves_nothing(const char* op, const Tensor& x, F f, Formula formula) {
  return record(op, elementwise(op, x, f), {x},
                [formula](const Tensor& dy) -> Gradients { return {formula(dy)}; });
}

/// dx = formula(dy, y), a formula for one_pass().
template <class F, class Formula>
Tensor saves_result(const char* op, const Tensor& x, F f, Formula formula) {
  return record(op, elementwise(op, x, f), {x},
                [formula](const Tensor& dy, const Tensor& y) -> Gradients {
                  return {one_pass(dy, y, formula)};
                });
}

/// dx = formula(dy, x), a formula for one_pass().
template <class F, class Formula>
Tensor saves_argument(const char* op, const Tensor& x, F f, Formula formula) {
  return record(op, elementwise(op, x, f), {x},
                [x = Saved(x), formula](const Tensor& dy) -> Gradients {
                  return {one_pass(dy, x, formula)};
                });
}

// --- two tensors ---

/// y = f(a, b), broadcast.
template <class F>
Tensor combine(const char* op, const Tensor& a, const Tensor& b, F f) {
  require_defined(op, {{"a", a}, {"b", b}});
  Tensor y(broadcast_shapes(op, a.shape(), b.shape()));
  broadcast_map(y.shape(), a.shape(), a.data(), b.shape(), b.data(), y.mutable_data(), f);
  return y;
}

/// What `gradient` returns as the gradient of input i, broadcasting undone; none if it is not
/// wanted.
template <class F>
Tensor share(const Wanted& wanted, std::size_t i, F gradient) {
  return wanted[i] ? sum_to(gradient(), wanted.shape(i)) : Tensor();
}

/// a or b, element by element: a where it beats b. Equal ones share the gradient.
template <class Beats>
Tensor winner(const char* op, const char* gradient, const Tensor& a, const Tensor& b, Beats beats) {
  // p != p: NaN wins, from either side.
  Tensor y =
      combine(op, a, b, [beats](Scalar p, Scalar q) { return beats(p, q) || p != p ? p : q; });
  // saved: a, b
  return record(op, y, {a, b},
                [=, a = Saved(a.detach()), b = Saved(b.detach())](
                    const Tensor& dy, const Wanted& wanted) -> Gradients {
                  const Tensor won = combine(op, a, b, [beats](Scalar p, Scalar q) {
                    return beats(p, q) ? Scalar(1) : p == q ? Scalar(0.5) : Scalar(0);
                  });
                  // The loser's is 0 whatever dy is, infinite too.
                  const auto of_a = [](Scalar dy, Scalar won) { return won == 0 ? 0 : dy * won; };
                  const auto of_b = [](Scalar dy, Scalar won) {
                    return won == 1 ? 0 : dy * (1 - won);
                  };
                  return {share(wanted, 0, [&] { return by_case(gradient, dy, won, of_a); }),
                          share(wanted, 1, [&] { return by_case(gradient, dy, won, of_b); })};
                });
}

/// y, which an op like += is about to replace.
const Tensor& no_leaf(const char* op, const Tensor& y) {
  require_defined(op, {{"y", y}});
  check(!y.requires_grad() || !y.node()->is_leaf(), op, ": the tensor of shape ", y.shape(),
        " is a leaf that collects a gradient, which the result would not (give the result a name "
        "of its own, or write to data())");
  return y;
}

}  // namespace

Tensor operator+(const Tensor& a, const Tensor& b) {
  Tensor y = combine("add", a, b, std::plus());
  return record("add", y, {a, b}, [](const Tensor& dy, const Wanted& wanted) -> Gradients {
    return {share(wanted, 0, [&] { return dy; }), share(wanted, 1, [&] { return dy; })};
  });
}

Tensor operator-(const Tensor& a, const Tensor& b) {
  Tensor y = combine("sub", a, b, std::minus());
  return record("sub", y, {a, b}, [](const Tensor& dy, const Wanted& wanted) -> Gradients {
    return {share(wanted, 0, [&] { return dy; }), share(wanted, 1, [&] { return -dy; })};
  });
}

Tensor operator*(const Tensor& a, const Tensor& b) {
  Tensor y = combine("mul", a, b, std::multiplies());
  // saved: of each the one whose partner requires a gradient
  return record(
      "mul", y, {a, b},
      [a = saved_for(b, a), b = saved_for(a, b)](const Tensor& dy,
                                                 const Wanted& wanted) -> Gradients {
        return {share(wanted, 0, [&] { return dy * b; }), share(wanted, 1, [&] { return dy * a; })};
      });
}

Tensor operator/(const Tensor& a, const Tensor& b) {
  Tensor y = combine("div", a, b, std::divides());
  if (!b.requires_grad()) {  // saved: b, not y
    return record("div", y, {a, b},
                  [b = Saved(b)](const Tensor& dy, const Wanted& wanted) -> Gradients {
                    return {share(wanted, 0, [&] { return dy / b; }), Tensor()};
                  });
  }
  // saved: b, y
  return record(
      "div", y, {a, b},
      [b = Saved(b)](const Tensor& dy, const Tensor& y, const Wanted& wanted) -> Gradients {
        const Tensor da = dy / b;
        return {share(wanted, 0, [&] { return da; }), share(wanted, 1, [&] {
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
  const auto times_s = [s](const auto& v) { return v * s; };
  return saves_nothing("mul", x, times_s, times_s);
}

Tensor operator/(const Tensor& x, Scalar s) {
  const auto over_s = [s](const auto& v) { return v / s; };
  return saves_nothing("div", x, over_s, over_s);
}

Tensor operator/(Scalar s, const Tensor& x) {
  Tensor y = elementwise("div", x, [s](Scalar v) { return s / v; });
  return record("div", y, {x}, [x = Saved(x)](const Tensor& dy, const Tensor& y) -> Gradients {
    return {-(dy * y / x)};  // s / x^2 = y / x
  });
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
    if (exponent == 0) return {dy * 0};  // x^-1 would be infinite at 0
    if (exponent == 1) return {dy};
    if (exponent == 2) return {one_pass(dy, x, [](auto dy, auto x) { return dy * (x * 2); })};
    if (exponent == 3) return {one_pass(dy, x, [](auto dy, auto x) { return dy * (x * x * 3); })};
    return {dy * (pow(x, exponent - 1) * exponent)};
  });
}

Tensor abs(const Tensor& x) {
  Tensor y = elementwise("abs", x, [](Scalar v) { return std::abs(v); });
  return record("abs", y, {x}, [x = Saved(x)](const Tensor& dy) -> Gradients {
    return {by_case("abs gradient", dy, x, [](Scalar dy, Scalar x) {
      return x > 0 ? dy : x < 0 ? -dy : 0;
    })};
  });
}

Tensor maximum(const Tensor& a, const Tensor& b) {
  return winner("maximum", "maximum gradient", a, b, std::greater());
}

Tensor minimum(const Tensor& a, const Tensor& b) {
  return winner("minimum", "minimum gradient", a, b, std::less());
}

Tensor clamp(const Tensor& x, Scalar low, Scalar high) {
  check(low <= high, "clamp: needs low <= high, got ", low, " and ", high);
  Tensor y = elementwise("clamp", x, [=](Scalar v) { return v < low ? low : v > high ? high : v; });
  return record("clamp", y, {x}, [=, x = Saved(x)](const Tensor& dy) -> Gradients {
    return {by_case("clamp gradient", dy, x,
                    [=](Scalar dy, Scalar x) { return low <= x && x <= high ? dy : 0; })};
  });
}

Tensor& operator+=(Tensor& y, const Tensor& x) { return y = no_leaf("+=", y) + x; }
Tensor& operator-=(Tensor& y, const Tensor& x) { return y = no_leaf("-=", y) - x; }
Tensor& operator*=(Tensor& y, const Tensor& x) { return y = no_leaf("*=", y) * x; }
Tensor& operator/=(Tensor& y, const Tensor& x) { return y = no_leaf("/=", y) / x; }
Tensor& operator+=(Tensor& y, Scalar s) { return y = no_leaf("+=", y) + s; }
Tensor& operator-=(Tensor& y, Scalar s) { return y = no_leaf("-=", y) - s; }
Tensor& operator*=(Tensor& y, Scalar s) { return y = no_leaf("*=", y) * s; }
Tensor& operator/=(Tensor& y, Scalar s) { return y = no_leaf("/=", y) / s; }

void add_in_place(Tensor& a, const Tensor& b) {
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

Tensor sin(const Tensor& x) {
  using std::cos;  // for numbers; tensors have their own
  return saves_argument(
      "sin", x, [](Scalar v) { return std::sin(v); }, [](auto dy, auto x) { return dy * cos(x); });
}

Tensor cos(const Tensor& x) {
  using std::sin;
  return saves_argument(
      "cos", x, [](Scalar v) { return std::cos(v); },
      [](auto dy, auto x) { return -(dy * sin(x)); });
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

}  // namespace gradus

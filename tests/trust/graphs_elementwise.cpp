/// @file
/// Ops of one tensor or two, element by element.

#include <array>
#include <cmath>
#include <utility>

#include "tests/trust/graphs.h"

namespace gradus::trust {

namespace {

/// An op of one tensor, element by element: f, f' and f''.
using Slopes = std::array<double, 3>;
template <class Engine, class F>
Op of_one(const char* name, Engine engine, F f, bool is_positive = false) {
  return op(
      name,
      [is_positive](Plan& plan, Node& n) {
        const int x = plan.any();
        n.inputs = {is_positive ? plan.positive(x) : x};
        n.reals = {static_cast<double>(plan.draws.below(17) - 8) / 4};
        return n.inputs[0] >= 0;
      },
      [engine](const Node& n, const Tensors& x) {
        return engine(x[0], static_cast<Scalar>(n.reals[0]));
      },
      [f](const Node& n, const auto& x) {
        return naive_map(x[0], [&](const auto& e) {
          const Slopes y = f(static_cast<double>(e.value), n.reals[0]);
          return chain(e, y[0], y[1], y[2]);
        });
      });
}

/// The same for an op with kinks, where the naive loop compares.
template <class Engine, class F>
Op of_one_with_kinks(const char* name, Engine engine, F f) {
  return op(
      name,
      [](Plan& plan, Node& n) {
        n.inputs = {plan.any()};
        n.reals = {-0.5, static_cast<double>(plan.draws.below(4)) / 2 - 0.5};
        return true;
      },
      [engine](const Node& n, const Tensors& x) { return engine(n, x[0]); },
      [f](const Node& n, const auto& x) {
        return naive_map(
            x[0], [&](const auto& e) { return f(n, e, x[0].is_exact); }, true);
      });
}

template <class Engine, class F>
Op of_two(const char* name, Engine engine, F f, bool is_positive = false, bool is_exact = false) {
  return op(
      name,
      [is_positive](Plan& plan, Node& n) {
        const int a = plan.any();
        int b = plan.beside(plan.of(a));
        if (is_positive) b = plan.positive(b);
        n.inputs = {a, b};
        if (!is_positive && plan.draws.chance(30)) std::swap(n.inputs[0], n.inputs[1]);
        return b >= 0;
      },
      [engine](const Node&, const Tensors& x) { return engine(x[0], x[1]); },
      [f, is_exact](const Node&, const auto& x) {
        const bool exact = x[0].is_exact && x[1].is_exact;
        return naive_zip(
            x[0], x[1], [&](const auto& a, const auto& b) { return f(a, b, exact); }, is_exact);
      });
}

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }

/// Value and slopes of x s(x), for a function with slopes.
Slopes times_x(double x, const Slopes& s) {
  return {x * s[0], s[0] + x * s[1], 2 * s[1] + x * s[2]};
}

Slopes tanh_of(double x) {
  const double t = std::tanh(x), slope = 1 - t * t;
  return {t, slope, -2 * t * slope};
}

Slopes gelu_of(double x) {
  const double c = std::sqrt(2 / M_PI);
  const double u = c * (x + 0.044715 * x * x * x), du = c * (1 + 3 * 0.044715 * x * x),
               ddu = c * 6 * 0.044715 * x;
  const Slopes t = tanh_of(u);
  return times_x(x, {(1 + t[0]) / 2, t[1] * du / 2, (t[2] * du * du + t[1] * ddu) / 2});
}

Slopes gelu_erf_of(double x) {
  const double density = std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
  return times_x(x, {std::erfc(-x / std::sqrt(2)) / 2, density, -x * density});
}

}  // namespace

std::vector<Op> elementwise() {
  using S = Scalar;
  const auto zero = [](const auto& e) { return std::decay_t<decltype(e)>(); };
  const auto larger = [](const auto& a, const auto& b, bool exact) {
    return chosen(a, b, 1, exact);
  };
  const auto smaller = [](const auto& a, const auto& b, bool exact) {
    return chosen(a, b, -1, exact);
  };
  return {
      of_two(
          "add", [](const Tensor& a, const Tensor& b) { return a + b; },
          [](const auto& a, const auto& b, bool) { return a + b; }),
      of_two(
          "sub", [](const Tensor& a, const Tensor& b) { return a - b; },
          [](const auto& a, const auto& b, bool) { return a - b; }),
      of_two(
          "mul", [](const Tensor& a, const Tensor& b) { return a * b; },
          [](const auto& a, const auto& b, bool) { return a * b; }),
      of_two(
          "div", [](const Tensor& a, const Tensor& b) { return a / b; },
          [](const auto& a, const auto& b, bool) { return a * inverse(b); }, true),
      of_two(
          "+=",
          [](Tensor a, const Tensor& b) {
            a = a * 1;
            a += b;
            return a;
          },
          [](const auto& a, const auto& b, bool) { return a + b; }),
      of_two(
          "/=",
          [](Tensor a, const Tensor& b) {
            a = a * 1;
            a /= b;
            return a;
          },
          [](const auto& a, const auto& b, bool) { return a * inverse(b); }, true),
      of_two(
          "maximum", [](const Tensor& a, const Tensor& b) { return maximum(a, b); }, larger, false,
          true),
      of_two(
          "minimum", [](const Tensor& a, const Tensor& b) { return minimum(a, b); }, smaller, false,
          true),
      of_two(
          "where greater",
          [](const Tensor& a, const Tensor& b) { return where(greater(a, b), a * a, b); },
          [](const auto& a, const auto& b, bool exact) {
            return compared(a, b, exact) > 0 ? a * a : b;
          }),
      of_two(
          "where equal",
          [](const Tensor& a, const Tensor& b) { return where(equal(a, b), b, a + b); },
          [](const auto& a, const auto& b, bool exact) {
            return compared(a, b, exact) == 0 ? b : a + b;
          }),
      of_one(
          "neg", [](const Tensor& x, S) { return -x; },
          [](double x, double) {
            return Slopes{-x, -1, 0};
          }),
      of_one(
          "x + s", [](const Tensor& x, S s) { return x + s; },
          [](double x, double s) {
            return Slopes{x + s, 1, 0};
          }),
      of_one(
          "s - x", [](const Tensor& x, S s) { return s - x; },
          [](double x, double s) {
            return Slopes{s - x, -1, 0};
          }),
      of_one(
          "x * s", [](const Tensor& x, S s) { return x * s; },
          [](double x, double s) {
            return Slopes{x * s, s, 0};
          }),
      of_one(
          "x / 3", [](const Tensor& x, S) { return x / 3; },
          [](double x, double) {
            return Slopes{x / 3, 1. / 3, 0};
          }),
      of_one(
          "s / x", [](const Tensor& x, S s) { return s / x; },
          [](double x, double s) {
            return Slopes{s / x, -s / x / x, 2 * s / x / x / x};
          },
          true),
      of_one(
          "pow", [](const Tensor& x, S s) { return pow(x, s); },
          [](double x, double s) {
            const auto y = power(Dual<double>{x, 1, 1, 0}, s);
            return Slopes{y.value, y.slope_u, y.slope_uv};
          },
          true),
      of_one(
          "pow 3", [](const Tensor& x, S) { return pow(x, 3); },
          [](double x, double) {
            return Slopes{x * x * x, 3 * x * x, 6 * x};
          }),
      of_one(
          "exp", [](const Tensor& x, S) { return exp(x); },
          [](double x, double) {
            return Slopes{std::exp(x), std::exp(x), std::exp(x)};
          }),
      of_one(
          "log", [](const Tensor& x, S) { return log(x); },
          [](double x, double) {
            return Slopes{std::log(x), 1 / x, -1 / x / x};
          },
          true),
      of_one(
          "sqrt", [](const Tensor& x, S) { return sqrt(x); },
          [](double x, double) {
            const double y = std::sqrt(x);
            return Slopes{y, 0.5 / y, -0.25 / y / x};
          },
          true),
      of_one(
          "sin", [](const Tensor& x, S) { return sin(x); },
          [](double x, double) {
            return Slopes{std::sin(x), std::cos(x), -std::sin(x)};
          }),
      of_one(
          "cos", [](const Tensor& x, S) { return cos(x); },
          [](double x, double) {
            return Slopes{std::cos(x), -std::sin(x), -std::cos(x)};
          }),
      of_one(
          "tanh", [](const Tensor& x, S) { return tanh(x); },
          [](double x, double) { return tanh_of(x); }),
      of_one(
          "sigmoid", [](const Tensor& x, S) { return sigmoid(x); },
          [](double x, double) {
            const double y = sigmoid_of(x), slope = y * (1 - y);
            return Slopes{y, slope, slope * (1 - 2 * y)};
          }),
      of_one(
          "silu", [](const Tensor& x, S) { return silu(x); },
          [](double x, double) {
            const double y = sigmoid_of(x), slope = y * (1 - y);
            return times_x(x, {y, slope, slope * (1 - 2 * y)});
          }),
      of_one(
          "gelu", [](const Tensor& x, S) { return gelu(x); },
          [](double x, double) { return gelu_of(x); }),
      of_one(
          "gelu_erf", [](const Tensor& x, S) { return gelu_erf(x); },
          [](double x, double) { return gelu_erf_of(x); }),
      of_one_with_kinks(
          "relu", [](const Node&, const Tensor& x) { return relu(x); },
          [zero](const Node&, const auto& e, bool exact) {
            return compared(e, zero(e), exact) > 0 ? e : zero(e);
          }),
      of_one_with_kinks(
          "abs", [](const Node&, const Tensor& x) { return abs(x); },
          [zero](const Node&, const auto& e, bool exact) {
            const int sign = compared(e, zero(e), exact);
            return times(e, sign);
          }),
      of_one_with_kinks(
          "clamp",
          [](const Node& n, const Tensor& x) {
            return clamp(x, static_cast<S>(n.reals[0]), static_cast<S>(n.reals[1]));
          },
          [zero](const Node& n, const auto& e, bool exact) {
            auto low = zero(e), high = zero(e);
            low.value += n.reals[0];
            high.value += n.reals[1];
            if (compared(e, low, exact) < 0) return low;
            return compared(e, high, exact) > 0 ? high : e;
          }),
      of_one(
          "relu_squared", [](const Tensor& x, S) { return relu_squared(x); },
          [](double x, double) {
            return x > 0 ? Slopes{x * x, 2 * x, 2} : Slopes{0, 0, 0};
          }),
      op(
          "dropout",
          [](Plan& plan, Node& n) {
            n.inputs = {plan.any()};
            n.numbers = {plan.draws.below(1000)};
            n.reals = {static_cast<double>(plan.draws.below(4)) / 4};
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return dropout(x[0], static_cast<S>(n.reals[0]),
                           {.seed = static_cast<std::uint64_t>(n.numbers[0])});
          },
          [](const Node& n, const auto& x) {  // the draws are the engine's
            const Tensor kept = dropout(ones(x[0].shape), static_cast<S>(n.reals[0]),
                                        {.seed = static_cast<std::uint64_t>(n.numbers[0])});
            auto y = x[0];
            for (Index i = 0; i < kept.size(); ++i) {
              y.elements[i] = times(y.elements[i], kept.data()[i] == 0 ? 0 : 1 / (1 - n.reals[0]));
            }
            y.is_exact = false;
            return y;
          }),
      op(
          "masked_fill",
          [](Plan& plan, Node& n) {
            n.inputs = {plan.any()};
            n.indices = {plan.indices(plan.smaller(plan.of(n.inputs[0])), 2)};
            n.reals = {-1.5};
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return masked_fill(x[0], n.indices[0], static_cast<S>(n.reals[0]));
          },
          [](const Node& n, const auto& x) {
            using E = std::decay_t<decltype(x[0].elements[0])>;
            return std::decay_t<decltype(x[0])>::from(
                x[0].shape, x[0].is_exact, [&](const Place& p) {
                  E filled;
                  filled.value += n.reals[0];
                  return is_set(n.indices[0], p) ? filled : x[0](p);
                });
          }),
  };
}

}  // namespace gradus::trust

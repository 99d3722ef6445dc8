#include "tutorials/common/check.h"

#include "tutorials/03_reverse_mode/exercises.h"

using gradus::green, gradus::red;

namespace {

void value_is(const std::string& what, const Value& y, double right) {
  if (!y) red(what, ": no value");
  gradus::expect_number(what, y->value, right);
}

void slope_is(const std::string& what, const Value& x, double right) {
  if (std::abs(x->grad - right) <= 1e-6 * std::max(1e-6, std::abs(right))) return;
  gradus::expect_number(what, x->grad, right, 0,
                        std::isfinite(x->grad) ? "" : "0 times infinity is NaN");
}

}  // namespace

CHECK_ANSWER() {
  for (const auto& [u, v] : {std::pair{3.0, 2.0}, {-1.5, 0.25}, {2e4, -1e4}, {0.0, 2.0}}) {
    const Value a = number(u), b = number(v), y = quotient(a, b);
    value_is("the quotient", y, u / v);
    backward(y);
    slope_is("slope of a / b by a", a, 1 / v);
    slope_is("slope of a / b by b", b, -u / v / v);
    if (a->value != u || b->value != v) red("an input has changed");
  }
  green("quotient: values and slopes");
  for (const auto& [u, n] : {std::pair{3.0, 2.0},
                             {-2.0, 3.0},
                             {4.0, 0.5},
                             {100.0, -1.0},
                             {0.0, 2.0},
                             {0.0, 1.0},
                             {-1e4, 2.0},
                             {2.0, -4.0}}) {
    const Value x = number(u), y = power(x, n);
    value_is("the power", y, std::pow(u, n));
    backward(y);
    slope_is("slope of " + std::to_string(u) + " to the power of " + std::to_string(n), x,
             n * std::pow(u, n - 1));
  }
  for (const double u : {0.0, -2.0}) {
    const Value x = number(u), y = power(x, 0);
    value_is("x^0", y, 1);
    backward(y);
    slope_is("slope of x^0 at " + std::to_string(u), x, 0);
  }
  green("power: values and slopes, at 0 and below too");
  const Value x = number(0.5), y = quotient(tanh(x), power(x, 2)) * x;  // tanh(x) / x
  backward(y);
  const double t = std::tanh(0.5);
  slope_is("slope of tanh(x) / x, written with all of them", x, ((1 - t * t) * 0.5 - t) / 0.25);
  green("both within a larger expression");
}

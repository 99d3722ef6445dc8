#include "tutorials/common/check.h"

#include "tutorials/03_reverse_mode/exercises.h"

using gradus::green;
using gradus::red;
using gradus::run_check;

namespace {

void value_is(const std::string& what, const Value& y, double right) {
  if (!y) red(what + ": no value");
  if (!(std::abs(y->value - right) <= 1e-9 * std::max(1.0, std::abs(right)))) {
    red(what + ": the value is " + std::to_string(y->value) + ", expected " +
        std::to_string(right));
  }
}

struct Mistake {
  double slope;
  std::string cause;
};

void slope_is(const std::string& what, const Value& x, double right,
              const std::vector<Mistake>& usual) {
  const auto is = [&](double wanted) {
    return std::abs(x->grad - wanted) <= 1e-6 * std::max(1e-6, std::abs(wanted));
  };
  if (is(right)) return;
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, ": got %g, expected %g", x->grad, right);
  std::string said = what + numbers;
  for (const Mistake& each : usual) {
    if (is(each.slope)) red(said + "\nlikely cause: " + each.cause);
  }
  if (!std::isfinite(x->grad)) said += "\nlikely cause: 0 times infinity is NaN";
  red(said);
}

}  // namespace

int main() {
  return run_check([] {
    for (const auto& [u, v] : {std::pair{3.0, 2.0}, {-1.5, 0.25}, {2e4, -1e4}}) {
      const Value a = number(u), b = number(v), y = quotient(a, b);
      value_is("the quotient", y, u / v);
      backward(y);
      slope_is("slope of a / b by a", a, 1 / v,
               {{v, "the slope by a is 1 / b, not b"}, {0, "a has no edge, or one of slope 0"}});
      slope_is("slope of a / b by b", b, -u / v / v,
               {{u / v / v, "a larger b makes the quotient smaller: its slope is negative"},
                {-u / v, "b must be squared"},
                {-1 / v / v, "the factor a is missing"},
                {0, "b has no edge, or one of slope 0"}});
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
               n * std::pow(u, n - 1),
               {{std::pow(u, n - 1), "the factor n is missing"},
                {n * std::pow(u, n), "the power is one less: x^(n - 1)"},
                {0, "x has no edge, or one of slope 0"}});
    }
    for (const double u : {0.0, -2.0}) {
      const Value x = number(u), y = power(x, 0);
      value_is("x^0", y, 1);
      backward(y);
      slope_is("slope of x^0 at " + std::to_string(u), x, 0, {});
    }
    green("power: values and slopes, at 0 and below too");
    const Value x = number(0.5), y = quotient(tanh(x), power(x, 2)) * x;  // tanh(x) / x
    backward(y);
    const double t = std::tanh(0.5);
    slope_is("slope of tanh(x) / x, written with all of them", x, ((1 - t * t) * 0.5 - t) / 0.25,
             {});
    green("both within a larger expression");
  });
}

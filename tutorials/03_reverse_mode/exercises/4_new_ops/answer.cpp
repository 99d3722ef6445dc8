// The slopes are written with values, not with Values: an edge holds a plain number.
#include "tutorials/03_reverse_mode/exercises.h"

Value quotient(const Value& a, const Value& b) {
  const double y = a->value / b->value;
  return number(y, {{a, 1 / b->value}, {b, -y / b->value}});
}

Value power(const Value& x, double n) {
  const double slope = n == 0 ? 0 : n * std::pow(x->value, n - 1);  // 0 times infinity is NaN
  return number(std::pow(x->value, n), {{x, slope}});
}

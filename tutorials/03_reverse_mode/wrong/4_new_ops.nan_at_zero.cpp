// rejected: 0 times infinity is NaN
#include "tutorials/03_reverse_mode/exercises.h"

Value quotient(const Value& a, const Value& b) {
  const double y = a->value / b->value;
  return number(y, {{a, 1 / b->value}, {b, -y / b->value}});
}
Value power(const Value& x, double n) {
  return number(std::pow(x->value, n), {{x, n * std::pow(x->value, n - 1)}});
}

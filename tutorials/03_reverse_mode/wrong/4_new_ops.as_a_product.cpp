// rejected: the slope by a is 1 / b, not b
#include "tutorials/03_reverse_mode/exercises.h"

Value quotient(const Value& a, const Value& b) {
  return number(a->value / b->value, {{a, b->value}, {b, a->value}});
}
Value power(const Value& x, double n) {
  return number(std::pow(x->value, n), {{x, n == 0 ? 0 : n * std::pow(x->value, n - 1)}});
}

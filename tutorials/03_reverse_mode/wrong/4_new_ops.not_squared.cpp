// rejected: b must be squared
#include "tutorials/03_reverse_mode/exercises.h"

Value quotient(const Value& a, const Value& b) {
  return number(a->value / b->value, {{a, 1 / b->value}, {b, -a->value / b->value}});
}
Value power(const Value& x, double n) {
  return number(std::pow(x->value, n), {{x, n == 0 ? 0 : n * std::pow(x->value, n - 1)}});
}

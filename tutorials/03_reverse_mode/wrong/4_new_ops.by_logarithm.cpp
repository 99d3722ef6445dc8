// rejected: the value is
#include "tutorials/03_reverse_mode/exercises.h"

Value quotient(const Value& a, const Value& b) {
  const double y = a->value / b->value;
  return number(y, {{a, 1 / b->value}, {b, -y / b->value}});
}
Value power(const Value& x, double n) {  // not for x below 0
  const double y = std::exp(n * std::log(x->value));
  return number(y, {{x, n * y / x->value}});
}

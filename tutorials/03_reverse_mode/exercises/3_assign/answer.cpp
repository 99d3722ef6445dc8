// The product has two users. Each brings a gradient, and = keeps only the later one.
#include "tutorials/03_reverse_mode/exercises.h"

Value my_expression(const Value& a, const Value& b) {
  const Value product = a * b;
  return product + product;
}

// rejected: finite slopes
#include "tutorials/03_reverse_mode/exercises.h"

Value my_expression(const Value& a, const Value& b) {
  const Value p = a * b;
  return p * number(INFINITY) + p;
}

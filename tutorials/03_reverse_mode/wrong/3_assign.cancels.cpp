// rejected: what the last user passes back is the whole gradient
#include "tutorials/03_reverse_mode/exercises.h"

Value my_expression(const Value& a, const Value& b) {
  const Value p = a * b, q = p + number(1);
  return q + p * number(0);
}

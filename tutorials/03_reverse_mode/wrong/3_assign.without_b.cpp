// rejected: the result does not depend on b
#include "tutorials/03_reverse_mode/exercises.h"

Value my_expression(const Value& a, const Value&) {
  const Value p = tanh(a);
  return p + p;
}

// Exercise 03.3, 5 minutes: where = is not +=.
//
// Write an expression of a and b on which backward() with = in place of += gives a wrong slope
// for a or for b. Use a once and b once. You have +, -, * and tanh.
#include "tutorials/03_reverse_mode/exercises.h"

Value my_expression(const Value& a, const Value& b) { return a * b; }

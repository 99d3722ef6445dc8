// Exercise 03.4, 15 minutes: quotient and power.
//
// Two ops for the engine of the page: a / b, and x to the power of n, where n is a plain number.
// Each is a number() with an edge for each input. x may be negative if n is
// whole, and 0 if n is 0 or at least 1.
#include "tutorials/03_reverse_mode/exercises.h"

Value quotient(const Value& a, const Value& b) { return number(0, {{a, 0}, {b, 0}}); }

Value power(const Value& x, double n) { return number(n, {{x, 0}}); }

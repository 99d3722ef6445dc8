// Exercise 05.2, 5 minutes: where relu can be checked.
//
// The central difference of relu(x) = max(x, 0) at x with step h > 0, and whether it is fair to
// compare it with relu's gradient: whether relu is one straight line from x - h to x + h.
#include "tutorials/05_gradients_you_can_trust/exercises.h"

Verdict my_verdict(double x, double h) { return {.difference = 0, .fair = true}; }

// Exercise 22.6: An exponential without a call
//
// e^x within 4 units of a float's last digit for x in [-87, 88]: by 2^n e^r, without a table of
// powers, and without a call of exp, pow or another function of the library: none but those that
// round to a float, such as std::nearbyint or std::floor. 0 below -87, at least e^88 above 88, and
// NaN for NaN. It runs in ./run chapter 22 --mine.
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

float fast_exp(float x) { return std::exp(x); }

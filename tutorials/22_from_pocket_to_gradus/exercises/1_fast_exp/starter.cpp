// Exercise 22.1: An exponential without a call
//
// e^x within 4 units of a float's last digit for x in [-87, 88]: by 2^n e^r, without a table of
// powers. Call no function of the library except std::bit_cast (include <bit>), std::min, std::max,
// std::nearbyint, std::floor and other rounding functions that return a float. 0 below -87, at
// least e^88 above 88, and NaN for NaN. It runs in ./run chapter 22 --mine.
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

float fast_exp(float x) { return std::exp(x); }

// rejected: a call of powf
#include <bit>
#include <cmath>
#include <cstdint>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

float fast_exp(float x) { return std::pow(2.71828183f, x); }

// rejected: a call of powl
#include <cmath>
#include <complex>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

float fast_exp(float x) {
  return x < -87 ? 0 : static_cast<float>(std::pow(2.718281828459045235L, x));
}

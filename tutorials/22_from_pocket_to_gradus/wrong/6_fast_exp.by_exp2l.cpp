// rejected: a call of exp2l
#include <cmath>
#include <complex>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

float fast_exp(float x) {
  return x < -87 ? 0 : static_cast<float>(std::exp2(x * 1.442695040888963407359924681001892137L));
}

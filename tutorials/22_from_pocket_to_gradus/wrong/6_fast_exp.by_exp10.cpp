// rejected: a call of exp10
#include <cmath>
#include <complex>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

float fast_exp(float x) {
  return x < -87 ? 0 : static_cast<float>(exp10(x * 0.43429448190325182765));
}

// rejected: a call of cexpf
#include <cmath>
#include <complex>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

float fast_exp(float x) { return x < -87 ? 0 : std::exp(std::complex<float>(x)).real(); }

// rejected: by tanh, at -1000 to 1000: got
#include "tutorials/14_the_block/exercises.h"

double my_gelu(double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }

double my_gelu_tanh(double x) {
  const double z = std::exp(2 * std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x));
  return x / 2 * (1 + (z - 1) / (z + 1));
}

// rejected: the constant is 0.044715
#include "tutorials/14_the_block/exercises.h"

double my_gelu(double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }

double my_gelu_tanh(double x) {
  return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.045 * x * x * x)));
}

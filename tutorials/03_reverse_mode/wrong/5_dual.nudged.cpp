// rejected: tanh: got value
#include "tutorials/03_reverse_mode/exercises.h"

Dual add(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
Dual multiply(const Dual& a, const Dual& b) {
  return {a.value * b.value, b.value * a.slope + a.value * b.slope};
}
Dual tanh_of(const Dual& x) {
  const double slope = (std::tanh(x.value + 1e-5) - std::tanh(x.value - 1e-5)) / 2e-5;
  return {std::tanh(x.value), slope * x.slope};
}

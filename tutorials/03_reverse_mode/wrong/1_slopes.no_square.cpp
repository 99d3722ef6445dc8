// rejected: tanh(x) must be squared
#include "tutorials/03_reverse_mode/exercises.h"

Made my_product(double a, double b) { return {a * b, {b, a}}; }

Made my_tanh(double x) {
  const double y = std::tanh(x);
  return {y, {1 - y}};
}

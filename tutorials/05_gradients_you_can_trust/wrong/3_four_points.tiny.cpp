// rejected: got
#include "tutorials/05_gradients_you_can_trust/exercises.h"

double my_slope(const Function& f, double x, double) {
  const double h = 1e-5;  // a good step, but two points
  return (f(x + h) - f(x - h)) / (2 * h);
}

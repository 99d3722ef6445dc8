// The error of the better one is a third of the difference between both.
#include "tutorials/05_gradients_you_can_trust/exercises.h"

double my_slope(const Function& f, double x, double h) {
  const double near = (f(x + h) - f(x - h)) / (2 * h);
  const double far = (f(x + 2 * h) - f(x - 2 * h)) / (4 * h);
  return near + (near - far) / 3;
}

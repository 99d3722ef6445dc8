// rejected: 4 are enough
#include "tutorials/05_gradients_you_can_trust/exercises.h"

double my_slope(const Function& f, double x, double h) {
  const auto difference = [&](double step) { return (f(x + step) - f(x - step)) / (2 * step); };
  const auto better = [&](double step) {
    return (4 * difference(step) - difference(2 * step)) / 3;
  };
  return (16 * better(h / 2) - better(h)) / 15;
}

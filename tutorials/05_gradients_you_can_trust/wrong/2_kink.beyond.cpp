// rejected: fair at x = 0.125, h = 0.125: got false
#include "tutorials/05_gradients_you_can_trust/exercises.h"

Verdict my_verdict(double x, double h) {
  const double above = std::max(x + h, 0.0), below = std::max(x - h, 0.0);
  return {.difference = (above - below) / (2 * h), .fair = std::abs(x) > h};
}

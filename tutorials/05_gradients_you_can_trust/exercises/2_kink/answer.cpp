// The kink is at 0; it must not lie strictly between x - h and x + h.
#include "tutorials/05_gradients_you_can_trust/exercises.h"

Verdict my_verdict(double x, double h) {
  const double above = std::max(x + h, 0.0), below = std::max(x - h, 0.0);
  return {.difference = (above - below) / (2 * h), .fair = std::abs(x) >= h};
}

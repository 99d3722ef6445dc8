// rejected: the two points are 2 h apart
#include "tutorials/05_gradients_you_can_trust/exercises.h"

Verdict my_verdict(double x, double h) {
  return {.difference = (std::max(x + h, 0.0) - std::max(x - h, 0.0)) / h,
          .fair = std::abs(x) >= h};
}

// Exercise 05.4, 45 minutes: all slopes at once.
//
// Whether op.backward is the gradient of op.forward. You may call op.forward three times in all and
// op.backward once, whatever the size of x: one to learn y's shape, two for a difference along one
// direction. The check has six ops, two of them with a wrong gradient, and tries all fifteen
// ways to choose the two: your function must name each time exactly those two. You choose x, dy and
// the direction; an op takes matrices of any shape. Each wrong gradient is right somewhere.
#include "tutorials/05_gradients_you_can_trust/exercises.h"

bool my_gradient_is_right(const Op& op) {
  const Matrix x(3, 3);
  const Matrix y = op.forward(x);
  const Matrix dx = op.backward(x, y);
  return dx.rows == x.rows && dx.columns == x.columns;
}

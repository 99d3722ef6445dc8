// Exercise 05.3, 45 minutes: two wrong gradients of six.
//
// Whether op.backward is the gradient of op.forward. The check has six ops, two of them with a
// wrong gradient, and tries all fifteen ways to choose the two: your function must name each time
// exactly those two. You choose the matrices x and dy, of any shape and values; an op takes them
// all. Each wrong gradient is right somewhere.
#include "tutorials/05_gradients_you_can_trust/exercises.h"

bool my_gradient_is_right(const Op& op) {
  const Matrix x(3, 3);
  const Matrix y = op.forward(x);
  const Matrix dx = op.backward(x, y);
  return dx.rows == x.rows && dx.columns == x.columns;
}

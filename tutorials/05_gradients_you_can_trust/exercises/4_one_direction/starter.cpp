// Exercise 05.4, 45 minutes: all slopes at once.
//
// Whether op.backward is the gradient of op.forward. For any size of x, you may call op.backward
// once and op.forward three times: once for y's shape, and twice for a difference along one
// direction. The check has six ops, two of them with a wrong gradient, and tries all fifteen ways
// to choose the two. Each time, your function must return false for exactly these two. You choose
// x, dy and the direction; an op takes matrices of any shape. Each wrong gradient is right for some
// inputs: the x below, for example, is square and all zeros, so it shows too little.
#include "tutorials/05_gradients_you_can_trust/exercises.h"

bool my_gradient_is_right(const Op& op) {
  const Matrix x(3, 3);
  const Matrix y = op.forward(x);
  const Matrix dx = op.backward(x, y);
  return dx.rows == x.rows && dx.columns == x.columns;
}

// rejected: right where x is positive
#include <algorithm>

#include "tutorials/05_gradients_you_can_trust/exercises.h"

namespace {

double loss(const Op& op, const Matrix& x, const Matrix& dy) {
  const Matrix y = op.forward(x);
  double sum = 0;
  for (std::size_t i = 0; i < y.numbers.size(); ++i) sum += dy.numbers[i] * y.numbers[i];
  return sum;
}

}  // namespace

bool my_gradient_is_right(const Op& op) {
  Matrix x(2, 3);
  x.numbers = {0.7, 1.2, 0.4, 0.3, 1.6, 0.9};
  const Matrix y = op.forward(x);
  Matrix dy(y.rows, y.columns);
  for (std::size_t i = 0; i < dy.numbers.size(); ++i) {
    dy.numbers[i] = std::sin(1.0 + 2.0 * static_cast<double>(i));
  }
  const Matrix dx = op.backward(x, dy);
  const double h = 1e-5;
  for (std::size_t i = 0; i < x.numbers.size(); ++i) {
    Matrix above = x, below = x;
    above.numbers[i] += h;
    below.numbers[i] -= h;
    const double expected = (loss(op, above, dy) - loss(op, below, dy)) / (2 * h);
    const double error = std::abs(dx.numbers.at(i) - expected);
    if (error > 1e-6 * std::max(1.0, std::abs(expected))) return false;
  }
  return true;
}

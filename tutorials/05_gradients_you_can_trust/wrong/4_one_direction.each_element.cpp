// rejected: at most 3 and 1
#include <algorithm>

#include "tutorials/05_gradients_you_can_trust/exercises.h"

namespace {

/// Numbers of either sign, none near 0, without a pattern: the same ones each time.
Matrix numbers(int rows, int columns, double seed) {
  Matrix x(rows, columns);
  for (std::size_t i = 0; i < x.numbers.size(); ++i) {
    const double wave = std::sin(seed + 2.3 * static_cast<double>(i));
    x.numbers[i] = wave + (wave > 0 ? 0.3 : -0.3);
  }
  return x;
}

double dot(const Matrix& a, const Matrix& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.numbers.size(); ++i) sum += a.numbers[i] * b.numbers[i];
  return sum;
}

}  // namespace

bool my_gradient_is_right(const Op& op) {
  const Matrix x = numbers(2, 3, 1), y = op.forward(x), dy = numbers(y.rows, y.columns, 2);
  const Matrix dx = op.backward(x, dy);
  const double h = 1e-5;
  for (std::size_t i = 0; i < x.numbers.size(); ++i) {
    Matrix above = x, below = x;
    above.numbers[i] += h, below.numbers[i] -= h;
    const double expected = (dot(op.forward(above), dy) - dot(op.forward(below), dy)) / (2 * h);
    if (std::abs(dx.numbers[i] - expected) > 1e-7 * std::max(1.0, std::abs(expected))) return false;
  }
  return true;
}

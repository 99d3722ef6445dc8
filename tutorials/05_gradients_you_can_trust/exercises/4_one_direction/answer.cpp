// Move all of x at once, along a direction v. The loss then changes by the sum of dx times v.
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
  const Matrix x = numbers(2, 3, 1), v = numbers(2, 3, 4);
  const Matrix y = op.forward(x);
  const Matrix dy = numbers(y.rows, y.columns, 2);
  const double got = dot(op.backward(x, dy), v), h = 1e-5;
  Matrix above = x, below = x;
  for (std::size_t i = 0; i < x.numbers.size(); ++i) {
    above.numbers[i] += h * v.numbers[i];
    below.numbers[i] -= h * v.numbers[i];
  }
  const double expected = (dot(op.forward(above), dy) - dot(op.forward(below), dy)) / (2 * h);
  return std::abs(got - expected) <= 1e-7 * std::max(1.0, std::abs(expected));
}

/// @file
/// Declarations for the exercises of chapter 05.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

/// The result of a check of relu at one x.
struct Verdict {
  double difference;  ///< the central difference of relu there
  bool fair;          ///< whether it may be compared with relu's gradient
};

/// Numbers in rows and columns, in double.
struct Matrix {
  int rows, columns;
  std::vector<double> numbers;  ///< row by row

  Matrix(int rows, int columns)
      : rows(rows), columns(columns), numbers(static_cast<std::size_t>(rows * columns)) {}
  double& at(int i, int j) { return numbers.at(static_cast<std::size_t>(i * columns + j)); }
  double at(int i, int j) const { return numbers.at(static_cast<std::size_t>(i * columns + j)); }
};

/// A function of a matrix of any shape, and its supposed gradient.
struct Op {
  std::string name;
  std::function<Matrix(const Matrix& x)> forward;                     ///< y
  std::function<Matrix(const Matrix& x, const Matrix& dy)> backward;  ///< dx, of x's shape
};

using Function = std::function<double(double)>;

Verdict my_verdict(double x, double h);
double my_slope(const Function& f, double x, double h);
bool my_gradient_is_right(const Op& op);

/// @file
/// Prints results that the programs of several chapters share: tables, shapes, texts, and whether
/// two tensors are equal.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tutorials/common/grid.h"

namespace course {

/// Prints whether two tensors have one shape and the same numbers, and ends the program if not.
inline void must_equal(const char* what, const Grid& a, const Grid& b, double tolerance = 1e-5) {
  bool same = a.shape == b.shape;
  for (std::size_t i = 0; same && i < a.values.size(); ++i) {
    same = std::abs(a.values[i] - b.values[i]) <= tolerance;
  }
  std::printf("%s: %s\n", what, same ? "equal" : "NOT EQUAL");
  if (!same) std::exit(1);
}

/// A shape as it prints: "[2, 3]".
template <class AnyShape>
std::string words(const AnyShape& shape) {
  std::ostringstream out;
  out << shape;
  return out.str();
}

/// The mean of two numbers or more, and its standard error if they are independent.
inline std::pair<double, double> mean_and_error(const std::vector<double>& numbers) {
  double sum = 0, squares = 0;
  for (const double x : numbers) sum += x, squares += x * x;
  const auto n = double(numbers.size());
  const double mean = sum / n;
  return {mean, std::sqrt((squares / n - mean * mean) / (n - 1))};
}

/// The share of rows of logits [..., V] whose largest number is at the target, among the rows that
/// have a target (0 or above).
template <class AnyTensor, class AnyIndices>
double accuracy(const AnyTensor& logits, const AnyIndices& targets) {
  const auto n = logits.size(-1);
  double right = 0, asked = 0;
  for (std::int64_t i = 0; i < targets.size(); ++i) {
    if (targets.data()[i] < 0) continue;
    const auto* row = logits.data() + i * n;
    right += std::max_element(row, row + n) - row == targets.data()[i];
    asked += 1;
  }
  return right / asked;
}

/// A matrix with the name of each row before it.
inline void print_table(const Grid& x, const std::vector<std::string>& rows, int digits = 2) {
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    std::printf("%-6s", rows[static_cast<std::size_t>(i)].c_str());
    for (std::int64_t j = 0; j < x.size(1); ++j) {
      std::printf(" %*.*f", digits + 4, digits,
                  x.values[static_cast<std::size_t>(i * x.size(1) + j)]);
    }
    std::printf("\n");
  }
}

/// The text in lines of at most 72 characters, cut at spaces.
inline std::string wrapped(std::string text) {
  std::size_t line = 0, space = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      line = i + 1;
    } else if (text[i] == ' ') {
      space = i;
    }
    if (i - line >= 72 && space > line) {
      text[space] = '\n';
      line = space + 1;
    }
  }
  return text;
}

}  // namespace course

namespace gradus {
using namespace course;  // for chapters that are not on pocket yet
}

//! [26 Int8Row]
// Matrices in eight bits a number.
#pragma once

#include <span>

#include "engine.h"

namespace pocket {

/// A row of numbers: number j is about scale times whole[j].
struct Int8Row {
  Scalar scale = 0;
  std::vector<std::int8_t> whole;  // from -127 to 127
};

inline Int8Row to_int8(std::span<const Scalar> row) {
  Int8Row result;
  //! [26.4]
  Scalar largest = 0;
  for (const Scalar x : row) largest = std::max(largest, std::abs(x));
  result.scale = largest / 127;
  for (const Scalar x : row) {
    result.whole.push_back(largest > 0 ? std::int8_t(std::lround(x / result.scale)) : 0);
  }
  //! [26.4]
  return result;
}
//! [26 Int8Row]

//! [26 Int8Matrix]
struct Int8Matrix {
  explicit Int8Matrix(const Tensor& x) : shape(x.shape()) {
    const std::size_t width = x.size(-1);
    for (const Scalar* row = x.begin(); row < x.end(); row += width) {
      rows.push_back(to_int8({row, width}));
    }
  }
  /// The matrix again, rounded.
  Tensor restored() const {
    std::vector<Scalar> numbers;
    for (const Int8Row& row : rows) {
      for (const std::int8_t n : row.whole) numbers.push_back(row.scale * n);
    }
    return tensor(shape, numbers);
  }
  Index bytes() const { return shape.size() + 4 * std::ssize(rows); }  // a scale has 4
  Shape shape;
  std::vector<Int8Row> rows;
};

}  // namespace pocket
//! [26 Int8Matrix]

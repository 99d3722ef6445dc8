/// @file
/// The numbers of any tensor, the library's or the reader's, for drawing and printing.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace course {

/// Throws std::invalid_argument with the message unless `holds`.
inline void must(bool holds, const std::string& message) {
  if (!holds) throw std::invalid_argument(message);
}

/// A shape, and numbers row after row.
struct Grid {
  template <class AnyTensor>
  Grid(const AnyTensor& x)  // NOLINT(google-explicit-constructor): any tensor is one
      : shape(x.shape().begin(), x.shape().end()), values(x.begin(), x.end()) {}
  std::int64_t size(std::size_t axis) const { return shape.at(axis); }
  std::vector<std::int64_t> shape;
  std::vector<double> values;
};

}  // namespace course

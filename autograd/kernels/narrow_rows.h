/// @file
/// Rows of weights in bfloat16 or int8, and their products with rows of Scalars.
///
/// A model that writes a text reads all weights for each token, and does little arithmetic with
/// each. So the time of a token is the time in which memory delivers the weights. With fewer bytes
/// per weight, a token takes less time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "autograd/scalar.h"

namespace gradus {

/// @addtogroup kernels
/// @{

/// The number type in which weights are kept in memory.
enum class WeightType {
  kFloat32,   ///< Scalar: float, or double in the double build
  kBfloat16,  ///< the upper half of a float: 8 significant bits, in 2 bytes
  kInt8,      ///< whole numbers in [-127, 127], with a scale for each 32 adjacent weights of a row
};
/// The names of the values in flags: the names of PyTorch's dtypes.
constexpr std::array<const char*, 3> names_of(WeightType) {
  return {"float32", "bfloat16", "int8"};
}

namespace detail {

/// The float with these upper 16 bits.
inline float from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

/// The upper 16 bits of the nearest bfloat16, ties to even. x must not be NaN.
inline std::uint16_t to_bfloat16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// The largest weight that both types can hold, as a bfloat16.
inline constexpr std::uint16_t kLargestNarrow = 0x7f7f;

/// The number of adjacent weights that share a scale. Rows are padded with zeros to a multiple.
inline constexpr Index kNarrowGroup = 32;

/// The number of adjacent rows whose groups alternate in memory.
inline constexpr Index kNarrowRows = 4;

/// A matrix of weights, [rows, columns], in kBfloat16 or kInt8.
///
/// Four adjacent rows lie in memory as one: group 0 of each, then group 1 of each, and so on. So
/// the products of four rows with the same numbers read memory from front to back, which the
/// processor prefetches best. In kInt8, group g of row r has the scale scales[r * groups() + g].
struct NarrowView {
  WeightType type;        ///< not kFloat32
  Index rows;             ///< the number of rows
  Index columns;          ///< the length of a row
  void* numbers;          ///< std::uint16_t in kBfloat16, std::int8_t in kInt8
  std::uint16_t* scales;  ///< bfloat16; unused in kBfloat16

  /// The number of groups of a row.
  Index groups() const { return (columns + kNarrowGroup - 1) / kNarrowGroup; }
  /// The length of a row with its padding.
  Index padded() const { return groups() * kNarrowGroup; }
  /// The number of rows in memory.
  Index padded_rows() const { return (rows + kNarrowRows - 1) / kNarrowRows * kNarrowRows; }
  /// The number of weights before group g of row r.
  Index place(Index r, Index g) const {
    return ((r / kNarrowRows * groups() + g) * kNarrowRows + r % kNarrowRows) * kNarrowGroup;
  }
  /// The bytes of numbers and scales.
  Index bytes() const {
    return type == WeightType::kInt8 ? padded_rows() * (padded() + 2 * groups())
                                     : padded_rows() * padded() * 2;
  }
};

/// Rounds `count` rows of Scalars, x [count, columns], into the rows of w from row `first` on. The
/// scale of an int8 group is its largest magnitude / 127, rounded to bfloat16. So the error of a
/// weight is at most half of its scale. A group whose scale is below float's least normal number
/// becomes 0. No element of x may be NaN or larger than kLargestNarrow.
void narrow_rows(const NarrowView& w, Index first, Index count, const Scalar* x);

/// Writes row `row` of w as Scalars: x [columns].
void widen_row(const NarrowView& w, Index row, Scalar* x);

/// Y = X W^T for x [m, columns] and y [m, rows].
///
/// With up to kFewRows rows of X, each thread reads its part of W once, straight from the narrow
/// numbers. For weights in int8, X is rounded too: to whole numbers of 16 bits, with a scale for
/// each 32 adjacent numbers, their largest magnitude / 32767. The processor multiplies whole
/// numbers faster than it converts them. An element of Y has the same bits for any number of
/// threads, and whichever other rows of X are computed with it. With more rows, blocks of W are
/// widened and multiplied with gemm().
void narrow_product(Index m, const Scalar* x, const NarrowView& w, Scalar* y);

}  // namespace detail

/// @}

}  // namespace gradus

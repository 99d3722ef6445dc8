/// @file
/// Weights in bfloat16 or int8, and the ops that read them. Such weights are for use only: they
/// have no gradient.
#pragma once

#include "autograd/index_tensor.h"
#include "autograd/kernels/narrow_rows.h"
#include "autograd/kernels/storage.h"
#include "autograd/tensor.h"

namespace gradus {

/// @defgroup narrow Narrow weights
/// Matrices of weights in bfloat16 or int8, which take a half or about a quarter of the memory of
/// floats. A model that writes a text reads all its weights for each token, so it also writes
/// faster. Sums are computed in Scalar. int8 with a scale for each group of weights: Dettmers and
/// others, "8-bit optimizers via block-wise quantization", 2022.
/// @{

/// A matrix of weights in memory as bfloat16 or int8. Copies of the handle refer to the same
/// weights.
///
/// It stores a row for each output of a linear map: [out, in], the transpose of Linear's weight. A
/// table of embeddings is stored with a row for each token, [V, C].
/// @code
/// NarrowMatrix(WeightType::kBfloat16, tensor({{1, -127}})).widened();  // [[1, -127]]
/// @endcode
class NarrowMatrix {
 public:
  /// An undefined matrix: defined() is false.
  NarrowMatrix() = default;
  /// A matrix [rows, columns] without values: set_rows() must set all of them before use.
  /// @throws std::invalid_argument if the type is kFloat32, which is a Tensor's.
  /// @throws OutOfMemory if there is not enough memory.
  NarrowMatrix(WeightType type, Index rows, Index columns);
  /// The matrix x, rounded.
  /// @throws std::invalid_argument as the constructor above and set_rows().
  NarrowMatrix(WeightType type, const Tensor& x);

  /// Whether there is a matrix. If not, the other members must not be called.
  bool defined() const { return static_cast<bool>(storage_); }
  /// The type of its weights.
  WeightType type() const { return view_.type; }
  Shape shape() const { return {view_.rows, view_.columns}; }  ///< [rows, columns]
  Index rows() const { return view_.rows; }                    ///< the number of rows
  Index columns() const { return view_.columns; }              ///< the length of a row
  /// The bytes of all weights, with scales and padding.
  Index bytes() const { return view_.bytes(); }
  /// Rounds x [n, columns] into the rows [first, first + n). Changes all handles of this matrix. In
  /// bfloat16, a weight is rounded to the nearest, ties to even. In int8, 32 adjacent weights of a
  /// row share a scale, their largest magnitude / 127, and a weight is rounded to the nearest
  /// multiple of it.
  /// @throws std::invalid_argument if the shapes do not fit, or an element is NaN or larger than
  /// 3.38e38, the largest bfloat16.
  void set_rows(Index first, const Tensor& x) const;
  /// The weights as Scalars, [rows, columns].
  Tensor widened() const;
  /// The first `count` rows, in the same memory.
  /// @throws std::invalid_argument if there are fewer.
  NarrowMatrix first_rows(Index count) const;
  /// The weights, for kernels.
  const detail::NarrowView& view() const { return view_; }

 private:
  Ref<detail::Storage<std::uint16_t>> storage_;  // numbers of all rows, then scales of all rows
  detail::NarrowView view_{};
};

/// The affine map y = x w^T + b of each row of x; `b` may be undefined: no bias. The weights are
/// read from memory as they are stored.
///
/// Shapes: x [..., in], w [out, in], b [out], y [..., out]. No gradient.
/// @throws std::invalid_argument if the shapes do not fit, or x or b requires a gradient.
///
/// @code
/// narrow_linear(tensor({1, 2}), NarrowMatrix(WeightType::kBfloat16, tensor({{3, 4}})));  // [11]
/// @endcode
Tensor narrow_linear(const Tensor& x, const NarrowMatrix& w, const Tensor& b = Tensor());

/// The row of a table for each token: y[..., :] = table[tokens[...], :].
///
/// Shapes: tokens [...], table [V, C], y [..., C]. No gradient.
/// @throws std::invalid_argument if a token is outside [0, V).
///
/// @code
/// narrow_embedding(indices({0}), NarrowMatrix(WeightType::kInt8, tensor({{-127}})));  // [[-127]]
/// @endcode
Tensor narrow_embedding(const IndexTensor& tokens, const NarrowMatrix& table);

/// @}

}  // namespace gradus

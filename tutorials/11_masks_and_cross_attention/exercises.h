/// @file
/// Declarations for the exercises of chapter 11.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "tutorials/pocket/attention.h"

using namespace pocket;

/// A model from [1, T, C] to [1, T, C].
using Model = std::function<Tensor(const Tensor& x)>;

std::vector<double> my_masked_softmax(const std::vector<double>& scores,
                                      const std::vector<bool>& visible);
IndexTensor my_document_mask(const IndexTensor& documents);
bool my_leaks(const Model& model, const Tensor& x);

inline constexpr std::int32_t kPadding = 0, kEnd = 1;  // of exercise 11.6; letters follow

/// Tokens as vectors, 1 at the token's number and 0 elsewhere: [B, T] to [B, T, V].
inline Tensor one_hot(const IndexTensor& tokens, Index vocab_size) {
  Tensor x({tokens.size(0), tokens.size(1), vocab_size});
  for (Index i = 0; i < tokens.size(); ++i) {
    x.mutable_data()[i * vocab_size + tokens.data()[i]] = 1;
  }
  return x;
}

/// Sets element [i, j] of a matrix.
inline void put(Tensor& matrix, Index i, Index j, Scalar value) {
  check(0 <= i && i < matrix.size(0) && 0 <= j && j < matrix.size(1), "put: [", i, ", ", j,
        "] is not in ", matrix.shape());
  matrix.mutable_data()[i * matrix.size(1) + j] = value;
}

void set_sorter(MultiHeadAttention& cross);
IndexTensor my_write(const MultiHeadAttention& cross, const IndexTensor& source, Index longest);

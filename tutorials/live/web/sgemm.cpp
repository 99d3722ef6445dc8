// The matrix product in a browser. Both factors are first copied into panels, in the order in which
// the innermost loop reads them. That loop then adds up a block of 4 x 8 elements of C in vectors
// of four. It does without blocks for the cache, because the products of the live pieces are small.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "cblas.h"

namespace {

constexpr int kRows = 4, kColumns = 8;  // of a block of C
using Vector = float __attribute__((vector_size(16)));

/// Copies x into panels of `width` lines, with zeros after the last. at(line, i) is element i of a
/// line.
template <class At>
void pack(std::vector<float>& panels, int lines, int length, int width, At at) {
  panels.clear();
  for (int first = 0; first < lines; first += width) {
    for (int i = 0; i < length; ++i) {
      for (int line = first; line < first + width; ++line) {
        panels.push_back(line < lines ? at(line, i) : 0.0f);
      }
    }
  }
}

/// Computes the block of C for a panel of A's rows and a panel of B's columns.
void multiply(const float* a, const float* b, int length, float (&block)[kRows][kColumns]) {
  Vector sums[kRows][2] = {};
  for (int i = 0; i < length; ++i, a += kRows, b += kColumns) {
    Vector left, right;
    __builtin_memcpy(&left, b, sizeof left);
    __builtin_memcpy(&right, b + 4, sizeof right);
    for (int row = 0; row < kRows; ++row) {
      sums[row][0] += a[row] * left;
      sums[row][1] += a[row] * right;
    }
  }
  __builtin_memcpy(block, sums, sizeof block);
}

}  // namespace

void cblas_sgemm(CBLAS_ORDER, CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b, int m,
                 int n, int k, float alpha, const float* a, int lda, const float* b, int ldb,
                 float beta, float* c, int ldc) {
  static std::vector<float> rows, columns;  // keep their memory from call to call
  const std::ptrdiff_t row = transpose_a == CblasTrans ? 1 : lda, along_a = lda + 1 - row;
  const std::ptrdiff_t column = transpose_b == CblasTrans ? ldb : 1, along_b = ldb + 1 - column;
  pack(rows, m, k, kRows, [=](int line, int i) { return a[line * row + i * along_a]; });
  pack(columns, n, k, kColumns, [=](int line, int i) { return b[line * column + i * along_b]; });
  for (int i = 0; i < m; i += kRows) {
    for (int j = 0; j < n; j += kColumns) {
      float block[kRows][kColumns];
      multiply(rows.data() + i * k, columns.data() + j * k, k, block);
      for (int y = i; y < std::min(m, i + kRows); ++y) {
        for (int x = j; x < std::min(n, j + kColumns); ++x) {
          float& to = c[y * ldc + x];
          to = alpha * block[y - i][x - j] + (beta == 0 ? 0 : beta * to);  // 0: C may be anything
        }
      }
    }
  }
}

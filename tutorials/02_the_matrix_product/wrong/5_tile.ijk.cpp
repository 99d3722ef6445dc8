// rejected: down a column
#include "tutorials/02_the_matrix_product/exercises.h"

void transposed_product(Index n, Watched a, Watched b, Watched c) {
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      Scalar sum = 0;
      for (Index k = 0; k < n; ++k) sum += a[k * n + i] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

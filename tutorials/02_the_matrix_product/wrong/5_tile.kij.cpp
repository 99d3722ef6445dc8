// rejected: keep the sums of a tile
#include "tutorials/02_the_matrix_product/exercises.h"

void transposed_product(Index n, Watched a, Watched b, Watched c) {
  for (Index i = 0; i < n * n; ++i) c[i] = 0;
  for (Index k = 0; k < n; ++k)
    for (Index i = 0; i < n; ++i) {
      const Scalar factor = a[k * n + i];
      for (Index j = 0; j < n; ++j) c[i * n + j] += factor * b[k * n + j];
    }
}

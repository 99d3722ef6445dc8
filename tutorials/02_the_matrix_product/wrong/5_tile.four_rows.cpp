// rejected: of the 16 numbers of each line
#include "tutorials/02_the_matrix_product/exercises.h"

void transposed_product(Index n, Watched a, Watched b, Watched c) {
  for (Index i = 0; i < n; i += 4)
    for (Index j = 0; j < n; j += 32) {
      Scalar sum[4][32] = {};
      for (Index k = 0; k < n; ++k)
        for (Index r = 0; r < 4; ++r)
          for (Index s = 0; s < 32; ++s) sum[r][s] += a[k * n + i + r] * b[k * n + j + s];
      for (Index r = 0; r < 4; ++r)
        for (Index s = 0; s < 32; ++s) c[(i + r) * n + j + s] = sum[r][s];
    }
}

// A tile of 16 rows: all numbers of each line of a that is fetched are used.
#include "tutorials/02_the_matrix_product/exercises.h"

void transposed_product(Index n, Watched a, Watched b, Watched c) {
  for (Index i = 0; i < n; i += 16)
    for (Index j = 0; j < n; j += 16) {
      Scalar sum[16][16] = {};
      for (Index k = 0; k < n; ++k)
        for (Index r = 0; r < 16; ++r) {
          const Scalar factor = a[k * n + i + r];
          for (Index s = 0; s < 16; ++s) sum[r][s] += factor * b[k * n + j + s];
        }
      for (Index r = 0; r < 16; ++r)
        for (Index s = 0; s < 16; ++s) c[(i + r) * n + j + s] = sum[r][s];
    }
}

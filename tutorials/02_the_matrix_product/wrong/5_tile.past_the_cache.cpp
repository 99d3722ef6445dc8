// rejected: past the cache
#include "tutorials/02_the_matrix_product/exercises.h"

void transposed_product(Index n, Watched a, Watched b, Watched c) {
  for (Index i = 0; i < n; i += 16)
    for (Index j = 0; j < n; j += 16) {
      Scalar sum[16][16] = {};
      for (Index k = 0; k < n; ++k)
        for (Index r = 0; r < 16; ++r) {
          const Scalar factor = a.data[k * n + i + r];
          for (Index s = 0; s < 16; ++s) sum[r][s] += factor * b.data[k * n + j + s];
        }
      for (Index r = 0; r < 16; ++r)
        for (Index s = 0; s < 16; ++s) c.data[(i + r) * n + j + s] = sum[r][s];
    }
}

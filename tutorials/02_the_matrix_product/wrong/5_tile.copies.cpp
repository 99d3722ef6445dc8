// rejected: memory was taken
#include "tutorials/02_the_matrix_product/exercises.h"

void transposed_product(Index n, Watched a, Watched b, Watched c) {
  std::vector<Scalar> x, y;
  for (Index i = 0; i < n * n; ++i) x.push_back(a[i]), y.push_back(b[i]);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      Scalar sum = 0;
      for (Index k = 0; k < n; ++k) sum += x[k * n + i] * y[k * n + j];
      c[i * n + j] = sum;
    }
}

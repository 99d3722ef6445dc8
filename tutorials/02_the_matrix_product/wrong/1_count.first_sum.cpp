// rejected: counts as well, by convention
#include "tutorials/02_the_matrix_product/exercises.h"

Index operations(const Shape& a, const Shape& b) {
  const Index batches = a.rank() == 3 ? a[0] : b.rank() == 3 ? b[0] : 1;
  return batches * a[-2] * (2 * a[-1] - 1) * b[-1];
}

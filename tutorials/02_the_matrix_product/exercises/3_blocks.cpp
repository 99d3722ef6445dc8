// Exercise 02.3, 45 minutes: blocks of matrices, in place.
//
// c = a b by gemm(), where all three are blocks of larger matrices (see Block in exercises.h). a
// and b may be taken transposed, c never is. Nothing around the blocks may be used, nothing around
// c may change, what stands in c before does not count, and no memory may be taken. An example:
// with a of 3 rows and 5 columns, b of 4 rows and 5 columns transposed, c has 3 rows and 4 columns.
#include "tutorials/02_the_matrix_product/exercises.h"

void multiply(const Block& a, const Block& b, const Block& c) {}

// Exercise 02.3: Blocks of matrices, in place
//
// c = a b with one gemm(), where all three are blocks of larger matrices. a and b may be marked as
// transposed, but never c. Replace the old numbers in c, change nothing around c, and allocate no
// memory.
#include "tutorials/02_the_matrix_product/exercises.h"

void multiply(const Block& a, const Block& b, Block& c) {}

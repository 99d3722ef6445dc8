// Exercise 02.3: Blocks of matrices, in place
//
// c = a b by gemm(), where all three are blocks of larger matrices. a and b may be taken
// transposed, c never is. Nothing around c may change, what was in c does not count, and no memory
// may be taken.
#include "tutorials/02_the_matrix_product/exercises.h"

void multiply(const Block& a, const Block& b, Block& c) {}

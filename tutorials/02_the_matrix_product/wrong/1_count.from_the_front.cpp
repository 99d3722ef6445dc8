// rejected: axis 0 of a is its batch where it has three axes
#include "tutorials/02_the_matrix_product/exercises.h"

Index operations(const Shape& a, const Shape& b) { return 2 * a[0] * a[1] * b[1]; }

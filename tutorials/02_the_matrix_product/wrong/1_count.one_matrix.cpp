// rejected: the batch was left out
#include "tutorials/02_the_matrix_product/exercises.h"

Index operations(const Shape& a, const Shape& b) { return 2 * a[-2] * a[-1] * b[-1]; }

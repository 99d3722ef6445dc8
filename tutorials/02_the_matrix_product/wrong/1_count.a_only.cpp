// rejected: b may have a batch where a has none
#include "tutorials/02_the_matrix_product/exercises.h"

Index operations(const Shape& a, const Shape& b) { return 2 * a.size() * b[-1]; }

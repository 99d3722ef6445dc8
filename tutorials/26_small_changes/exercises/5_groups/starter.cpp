// Exercise 26.5: A scale for each group
#include "tutorials/26_small_changes/exercises.h"

Tensor restored_in_groups(const Tensor& x, Index group) { return Int8Matrix(x).restored(); }

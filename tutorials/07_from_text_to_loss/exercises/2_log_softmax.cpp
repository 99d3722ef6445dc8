// Exercise 07.2, 15 minutes: the logarithm of the softmax, for any numbers.
//
// x [N, V] to y [N, V]: y = ln softmax(x), each row for itself. It must be right for rows of small
// numbers, and for rows such as (10000, 0, -10000) and (-10000, -10000, -10000): no infinity, no
// NaN. Without the library's log_softmax(); x stays as it is.
#include "tutorials/07_from_text_to_loss/exercises.h"

Tensor my_log_softmax(const Tensor& x) { return zeros(x.shape()); }

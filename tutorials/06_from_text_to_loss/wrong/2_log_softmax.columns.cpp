// rejected: the softmax of each column
#include "tutorials/06_from_text_to_loss/exercises.h"

Tensor my_log_softmax(const Tensor& x) { return log_softmax(x, 0); }

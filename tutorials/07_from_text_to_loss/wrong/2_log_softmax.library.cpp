// rejected: the library's log_softmax was called
#include "tutorials/07_from_text_to_loss/exercises.h"

Tensor my_log_softmax(const Tensor& x) { return log_softmax(x); }

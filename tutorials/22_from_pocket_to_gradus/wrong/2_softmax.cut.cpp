// rejected: the result has no node
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

Tensor fused_softmax(const Tensor& x) { return softmax(x.detach()); }

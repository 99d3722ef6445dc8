// rejected: 2 nodes were recorded, expected 1
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

Tensor fused_softmax(const Tensor& x) { return softmax(x); }

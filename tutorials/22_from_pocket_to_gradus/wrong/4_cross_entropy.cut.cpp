// rejected: the result has no node
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

Tensor fused_cross_entropy(const Tensor& logits, const IndexTensor& targets) {
  return cross_entropy(logits.detach(), targets);
}

// rejected: nodes were recorded, expected 1
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

Tensor fused_cross_entropy(const Tensor& logits, const IndexTensor& targets) {
  return cross_entropy(logits, targets);
}

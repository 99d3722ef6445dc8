// rejected: ops on logits record nodes
#include "tutorials/07_from_text_to_loss/exercises.h"

Tensor cross_entropy_op(const Tensor& logits, const IndexTensor& targets) {
  return cross_entropy(logits, targets);
}

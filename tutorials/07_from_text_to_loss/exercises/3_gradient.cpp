// Exercise 07.3, 45 minutes: the gradient of the loss, and the bigram's.
//
// logits_gradient: logits [N, V] and targets [N] to d loss / d logits [N, V], where the loss is the
// mean of -ln softmax(logits)[target] over the N rows.
//
// table_gradient: the same for a bigram. Its logits are rows of a table [V, V], row inputs[i] for
// example i, targets[i] what came next. Return d loss / d table, [V, V].
//
// By formula: without backward(), grad() or leaves.
#include "tutorials/07_from_text_to_loss/exercises.h"

Tensor logits_gradient(const Tensor& logits, const IndexTensor& targets) {
  return zeros(logits.shape());
}

Tensor table_gradient(const Tensor& table, const IndexTensor& inputs, const IndexTensor& targets) {
  return zeros(table.shape());
}

// rejected: has changed
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

Tensor fused_cross_entropy(const Tensor& logits, const IndexTensor& targets) {
  Tensor x = logits;
  const Index v = x.size(-1);
  for (Index row = 0; row < x.size(); row += v) {
    Scalar* to = x.mutable_data() + row;
    const Scalar largest = *std::max_element(to, to + v);
    for (Index j = 0; j < v; ++j) to[j] -= largest;
  }
  return cross_entropy(x, targets);
}

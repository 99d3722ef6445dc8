// rejected: what goes by is the normalised x
#include "tutorials/14_the_block/exercises.h"

Tensor my_pre_norm(const Tensor& x, const Function& norm, const Function& branch) {
  const Tensor y = norm(x);
  return y + branch(y);
}

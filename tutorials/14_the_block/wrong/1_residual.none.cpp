// rejected: nothing goes by
#include "tutorials/14_the_block/exercises.h"

Tensor my_pre_norm(const Tensor& x, const Function& norm, const Function& branch) {
  static_cast<void>(x);
  return branch(norm(x));
}

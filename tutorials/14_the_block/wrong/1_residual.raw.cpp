// rejected: the branch sees x as it is
#include "tutorials/14_the_block/exercises.h"

Tensor my_pre_norm(const Tensor& x, const Function& norm, const Function& branch) {
  static_cast<void>(norm);
  return x + branch(x);
}

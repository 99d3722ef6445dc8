// rejected: the result has no node
#include "tutorials/14_the_block/exercises.h"

Tensor my_layer_norm(const Tensor& x) {
  return layer_norm(x.detach(), ones({x.size(-1)}), zeros({x.size(-1)}));
}

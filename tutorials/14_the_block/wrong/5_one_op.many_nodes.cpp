// rejected: more than one node
#include "tutorials/14_the_block/exercises.h"

Tensor my_layer_norm(const Tensor& x) {
  return layer_norm(x, ones({x.size(-1)}), zeros({x.size(-1)}));
}

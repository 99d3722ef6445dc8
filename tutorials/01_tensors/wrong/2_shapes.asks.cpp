// rejected: a tensor was made
#include "tutorials/01_tensors/exercises.h"

std::vector<Shape> ten_shapes(Index b, Index t, Index c) {
  const Tensor x = zeros({b, t, c}), w = zeros({c}), m = zeros({t, 1});
  std::vector<Shape> shapes;
  for (const Tensor& y : {x + w, w + m, reshape(x, {b * t, c}), reshape(x, {-1, t}), transpose(x),
                          permute(x, {2, 0, 1}), slice(x, 1, 1), sum(x, {0, -1}),
                          sum(x, 1, {.keepdim = true}) * m, concat({x, x + m}, -1)}) {
    shapes.push_back(y.shape());
  }
  return shapes;
}

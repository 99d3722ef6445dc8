// Exercise 01.2, 15 minutes: ten shapes.
//
// x is [B, T, C], w [C], m [T, 1]. Give the shapes of the ten expressions, as they follow from B, T
// and C, without making a tensor: the check looks whether you did. The shape [] is Shape{}.
#include "tutorials/01_tensors/exercises.h"

std::vector<Shape> ten_shapes(Index b, Index t, Index c) {
  return {
      Shape{},  // 1. x + w
      Shape{},  // 2. w + m
      Shape{},  // 3. reshape(x, {B * T, C})
      Shape{},  // 4. reshape(x, {-1, T})
      Shape{},  // 5. transpose(x)
      Shape{},  // 6. permute(x, {2, 0, 1})
      Shape{},  // 7. slice(x, 1, 1)
      Shape{},  // 8. sum(x, {0, -1})
      Shape{},  // 9. sum(x, 1, {.keepdim = true}) * m
      Shape{},  // 10. concat({x, x + m}, -1)
  };
}

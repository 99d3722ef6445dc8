// rejected: shapes are aligned at their last axes
#include "tutorials/01_tensors/exercises.h"

std::vector<Shape> ten_shapes(Index b, Index t, Index c) {
  return {
      Shape{b, t, c},                       // w is repeated over texts and words
      Shape{t, 1},        Shape{b * t, c},  // all words under each other
      Shape{b * c, t},                      // B T C numbers, T to a row
      Shape{b, c, t},                       // the last two, unless named
      Shape{c, b, t},                       // axis i of the result is axis axes[i] of x
      Shape{b, t - 1, c},                   // all words but the first
      Shape{t},                             // what is summed over goes
      Shape{b, t, c},      // [B, 1, C] and [T, 1]: the kept axis is repeated T times
      Shape{b, t, 2 * c},  // only the joined axis grows
  };
}

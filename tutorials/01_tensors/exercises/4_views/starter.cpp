// Exercise 01.4: Views that copy nothing
//
// Three functions that change how x's numbers are read, and touch none of them. An axis of -1 is
// the last.
#include "tutorials/01_tensors/exercises.h"

// Axis k of the result is axis axes[k] of v: for a matrix, {1, 0} is the transpose.
View permuted(const View& v, const std::vector<int>& axes) {
  View y = v;
  // TODO
  return y;
}

// The elements begin, ..., end - 1 of an axis.
View sliced(const View& v, int axis, Index begin, Index end) {
  View y = v;
  // TODO
  return y;
}

// The same elements in reverse order along an axis.
View flipped(const View& v, int axis) {
  View y = v;
  // TODO
  return y;
}

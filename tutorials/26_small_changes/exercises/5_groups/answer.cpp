#include "tutorials/26_small_changes/exercises.h"

Tensor restored_in_groups(const Tensor& x, Index group) {
  Tensor y = zeros(x.shape());
  const Index width = x.size(-1);
  for (Index row = 0; row < x.size(); row += width) {
    for (Index first = 0; first < width; first += group) {
      const Index n = std::min(group, width - first);
      const Int8Row stored = to_int8({x.data() + row + first, std::size_t(n)});
      for (Index j = 0; j < n; ++j) {
        y.mutable_data()[row + first + j] = stored.scale * stored.whole[j];
      }
    }
  }
  return y;
}

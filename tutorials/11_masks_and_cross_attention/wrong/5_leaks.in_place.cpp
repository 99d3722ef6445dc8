// rejected: argument 1 has changed
#include "tutorials/11_masks_and_cross_attention/exercises.h"

bool my_leaks(const Model& model, const Tensor& x) {
  const Index time = x.size(1), channels = x.size(2);
  const Tensor y = model(x);
  Tensor changed = x;
  for (Index i = time - 2; i >= 0; --i) {
    changed.mutable_data()[(i + 1) * channels] += 1;
    const Tensor z = model(changed);
    if (!std::equal(y.data(), y.data() + (i + 1) * channels, z.data())) return true;
  }
  return false;
}

// rejected: rounding hides it from the outputs
#include "tutorials/11_masks_and_cross_attention/exercises.h"

bool my_leaks(const Model& model, const Tensor& x) {
  const Index time = x.size(1), channels = x.size(2);
  const Tensor y = model(x);
  for (Index i = 0; i < time; ++i) {
    const Tensor noise = concat(
        {zeros({1, i + 1, channels}), normal({1, time - i - 1, channels}, {.seed = 10}, 0, 10)}, 1);
    const Tensor z = model(x + noise);
    if (!std::equal(y.data(), y.data() + (i + 1) * channels, z.data())) return true;
  }
  return false;
}

// rejected: the graph does not know of it
#include "tutorials/11_masks_and_cross_attention/exercises.h"

bool my_leaks(const Model& model, const Tensor& x) {
  const Index time = x.size(1), channels = x.size(2);
  for (Index i = 0; i < time; ++i) {
    Tensor leaf = x.detach();
    leaf.set_requires_grad();
    backward(sum(slice(model(leaf), 1, i, i + 1) * normal({channels}, {.seed = 9})));
    const Tensor gradient = leaf.grad();
    const Scalar* g = gradient.data();
    if (std::any_of(g + (i + 1) * channels, g + x.size(), [](Scalar v) { return v != 0; }))
      return true;
  }
  return false;
}

// rejected: patches fit
#include "tutorials/21_images_as_sequences/exercises.h"

Tensor overlapping_patches(const Tensor& images, Index patch, Index stride) {
  std::vector<Tensor> patches;
  for (Index r = 0; r < images.size(1) / stride; ++r) {
    for (Index c = 0; c < images.size(2) / stride; ++c) {
      const Index y = std::min(r * stride, images.size(1) - patch);
      const Index x = std::min(c * stride, images.size(2) - patch);
      const Tensor cut = slice(slice(images, 1, y, y + patch), 2, x, x + patch);
      patches.push_back(reshape(cut, {images.size(0), 1, patch * patch}));
    }
  }
  return concat(patches, 1);
}

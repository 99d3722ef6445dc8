// rejected: the patches are in columns
#include "tutorials/21_images_as_sequences/exercises.h"

Tensor overlapping_patches(const Tensor& images, Index patch, Index stride) {
  std::vector<Tensor> patches;
  for (Index x = 0; x + patch <= images.size(2); x += stride) {
    for (Index y = 0; y + patch <= images.size(1); y += stride) {
      const Tensor cut = slice(slice(images, 1, y, y + patch), 2, x, x + patch);
      patches.push_back(reshape(cut, {images.size(0), 1, patch * patch}));
    }
  }
  return concat(patches, 1);
}

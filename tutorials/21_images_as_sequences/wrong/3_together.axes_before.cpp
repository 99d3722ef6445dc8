// rejected: 2 images of 4 x 6
#include "tutorials/21_images_as_sequences/exercises.h"

Tensor unpatchify(const Tensor& patches, Index height, Index width, Index patch) {
  const Index b = patches.size(0), down = height / patch, across = width / patch;
  const Tensor grid = reshape(patches, {b, down, patch, across, patch});
  return reshape(permute(grid, {0, 1, 3, 2, 4}), {b, height, width});
}

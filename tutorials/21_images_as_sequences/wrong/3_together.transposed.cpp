// rejected: the pixels of each patch are transposed
#include "tutorials/21_images_as_sequences/exercises.h"

Tensor unpatchify(const Tensor& patches, Index height, Index width, Index patch) {
  const Index b = patches.size(0), down = height / patch, across = width / patch;
  const Tensor grid = reshape(patches, {b, down, across, patch, patch});
  return reshape(permute(grid, {0, 1, 4, 2, 3}), {b, height, width});
}

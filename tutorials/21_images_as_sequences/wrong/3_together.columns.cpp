// rejected: the patches are placed column by column
#include "tutorials/21_images_as_sequences/exercises.h"

Tensor unpatchify(const Tensor& patches, Index height, Index width, Index patch) {
  const Index b = patches.size(0), down = height / patch, across = width / patch;
  const Tensor grid = reshape(patches, {b, across, down, patch, patch});
  return reshape(permute(grid, {0, 2, 3, 1, 4}), {b, height, width});
}

// Exercise 21.3, 5 minutes: an image out of its patches.
//
// The inverse of patchify: patches [B, N, P P] to images [B, height, width]. The patches are in
// row-major order, and so are the pixels of each. Use ops: the gradient must pass.
#include "tutorials/21_images_as_sequences/exercises.h"

Tensor unpatchify(const Tensor& patches, Index height, Index width, Index patch) {
  return zeros({patches.size(0), height, width});
}

// Exercise 21.4, 15 minutes: patches that overlap.
//
// Patches begin every `stride` pixels, to the right and downwards: images [B, height, width] to
// [B, N, P P], row by row. Pixels left over at the right and at the bottom are not used. The
// gradient must pass; a pixel in several patches gets the sum.
#include "tutorials/21_images_as_sequences/exercises.h"

Tensor overlapping_patches(const Tensor& images, Index patch, Index stride) {
  return patchify(images, patch);  // right if stride is patch
}

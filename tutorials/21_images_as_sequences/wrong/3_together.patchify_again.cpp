// rejected: 2 images of 4 x 6
#include "tutorials/21_images_as_sequences/exercises.h"

Tensor unpatchify(const Tensor& patches, Index height, Index width, Index patch) {
  return reshape(patchify(reshape(patches, {patches.size(0), height, width}), patch),
                 {patches.size(0), height, width});
}

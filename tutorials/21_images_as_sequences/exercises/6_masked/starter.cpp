// Exercise 21.6, 45 minutes: a masked autoencoder.
//
// Half of an image's patches are hidden, and the model draws them. The struct MaskedAutoencoder is
// in exercises.h. The check trains your functions, then shows images: seen, drawn, true.
#include "tutorials/21_images_as_sequences/exercises.h"

/// Which patches are hidden, [images, patches]: 1 for hidden, 0 for seen. In each image exactly
/// `count` are hidden, chosen at random, other ones for each image and for each key.
Tensor hide(Index images, Index patches, Index count, const RandomKey& key) {
  return zeros({images, patches});
}

/// The images [B, height, width] with the model's drawing in each patch that is hidden, and the
/// given pixels in all others. You can use your unpatchify of exercise 21.3: copy it into this
/// file.
Tensor completed(const MaskedAutoencoder& model, const Tensor& images, const Tensor& hidden) {
  return images;
}

/// The mean of the squared differences between drawn and true pixels, over hidden patches alone.
Tensor hidden_error(const MaskedAutoencoder& model, const Tensor& images, const Tensor& hidden) {
  return scalar(0);
}

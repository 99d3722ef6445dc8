/// @file
/// Chapter 21: a model without positions on shuffled patches.
#pragma once

#include "tutorials/21_images_as_sequences/learning.h"

// [opening]
/// Prints both models' answers for the 5 at the top of the page, as drawn and shuffled.
inline void opening(const Data& data, const VisionTransformer& model,
                    const VisionTransformer& orderless) {
  const Part part("opening");
  const Opening images(data);
  std::printf("the 5 above          as drawn   shuffled\n");
  const auto show = [&](const char* name, const VisionTransformer& model) {
    std::printf("%-18s", name);
    for (const Tensor& image : {images.five, images.shuffled}) {
      const NoGrad no_grad;
      const Tensor p = softmax(model(image));
      const auto most = std::max_element(p.begin(), p.end());
      std::printf("   %d, %3.0f %%", int(most - p.begin()), 100 * double(*most));
    }
    std::printf("\n");
  };
  show("transformer", model);
  show("without positions", orderless);
}
// [opening]

// [shuffle]
inline void shuffle(const Data& data, const VisionTransformer& orderless) {
  const Part part("shuffle");
  const Digits some = some_of(data.held_out, random_order(100, {5}));
  const Tensor before = orderless(some.images), after = orderless(shuffled(some, 4).images);
  must_equal("without positions, logits before and after the shuffle", before, after, 1e-4);
}
// [shuffle]

/// @file
/// Chapter 21: the drawn digits, and a model that reads them in patches.
#pragma once

#include <cstdio>
#include <iostream>
#include <numeric>

#include "pocket/vision.h"
#include "tutorials/21_images_as_sequences/digits.h"
#include "tutorials/21_images_as_sequences/figures.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace pocket;
using namespace course;
using namespace digits;

// [data]
struct Data {
  Digits train = draw_digits(0, 6000), held_out = draw_digits(6000, 1000);
};
// [data]

// [config]
inline VisionConfig config_of(Index patch, Position position = Position::kLearned) {
  VisionConfig config{.height = 16, .width = 16, .patch = patch};
  config.layer = {.d_model = 32, .num_heads = 4, .dropout = 0, .position = position};
  return config;
}
// [config]

// [patches]
inline void patches() {
  std::vector<Scalar> pixels(24);
  std::iota(pixels.begin(), pixels.end(), Scalar(0));
  const Tensor image = tensor({1, 4, 6}, pixels);
  std::cout << image << "\n\n" << patchify(image, 2) << "\n";
}
// [patches]

// [shapes]
inline void shapes(const Data& data) {
  VisionTransformer model(config_of(4), 1);
  const Tensor images = some_of(data.train, {0, 1, 2}).images;
  std::cout << "images   " << images.shape() << "\n";
  std::cout << "patches  " << patchify(images, 4).shape() << ", of 8 by 8 "
            << patchify(images, 8).shape() << "\n";
  std::cout << "embedded " << model.embed(patchify(images, 4)).shape() << "\n";
  std::cout << "logits   " << model(images).shape() << "\n";
  std::cout << count(parameters(model)) << " parameters\n";
}
// [shapes]

// [drawn]
inline void drawn(const Data& data) {
  std::printf("%d images to learn from, %d held out\n", int(data.train.labels.size()),
              int(data.held_out.labels.size()));
  print_extent(data.held_out.images);
}
// [drawn]

// [figures]
/// The 5 at the top of the page, and the same patches in another order.
struct Opening {
  explicit Opening(const Data& data)
      : five(some_of(data.held_out, {27}).images),
        shuffled(with_patches(five, 4, [&](Index) { return order; })) {}
  std::vector<Index> order = random_order(16, {.seed = 8});
  Tensor five, shuffled;
};

inline void draw_both(const Data& data) {
  draw_sheet(some_of(data.held_out, first_of_each(data.held_out)).images);
  const Opening opening(data);
  draw_sentence(opening.five, opening.shuffled, {opening.order.begin(), opening.order.end()});
}
// [figures]

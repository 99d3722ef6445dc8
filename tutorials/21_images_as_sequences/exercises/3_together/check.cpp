#include "autograd/ops/shape.h"
#include "tutorials/21_images_as_sequences/exercises.h"
#include "tutorials/common/compare.h"

using gradus::as_library;

namespace {

void check_sizes(Index b, Index height, Index width, Index p, Scalar scale = 1) {
  const Index down = height / p, across = width / p;
  compare(
      gradus::detail::text(b, " images of ", height, " x ", width, ", patches of ", p),
      {gradus::normal({b, down * across, p * p}, {.seed = 1}, 0, scale)},
      [&](const auto& x) { return unpatchify(x[0], height, width, p); },
      [&](const auto& x) {
        const auto grid = gradus::reshape(x[0], {b, down, across, p, p});
        return gradus::reshape(gradus::permute(grid, {0, 1, 3, 2, 4}), {b, height, width});
      });
}

}  // namespace

CHECK_ANSWER() {
  check_sizes(3, 6, 4, 2);
  check_sizes(2, 4, 6, 2);
  check_sizes(1, 9, 6, 3);
  check_sizes(2, 3, 5, 1);
  check_sizes(3, 28, 42, 7, 1e6);
  const Tensor images = normal({2, 8, 12}, {.seed = 2});
  gradus::expect("of patchify's patches, the images",
                 as_library(unpatchify(patchify(images, 4), 8, 12, 4)), as_library(images), {}, 0);
}

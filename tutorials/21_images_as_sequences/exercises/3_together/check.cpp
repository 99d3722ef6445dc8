#include "tutorials/21_images_as_sequences/exercises.h"
#include "tutorials/common/guards.h"

using gradus::as_library, gradus::green, gradus::red;

namespace {

/// By definition: pixel by pixel.
Tensor right(const Tensor& patches, Index height, Index width, Index patch) {
  const Index b = patches.size(0), down = height / patch, across = width / patch;
  Tensor y({b, height, width});
  for (Index i = 0; i < y.size(); ++i) {
    const Index image = i / (height * width), row = i / width % height, column = i % width;
    const Index r = row / patch, c = column / patch;
    const Index n = r * across + c;
    const Index pixel = row % patch * patch + column % patch;
    y.mutable_data()[i] = patches.data()[(image * down * across + n) * patch * patch + pixel];
  }
  return y;
}

void check_sizes(Index b, Index height, Index width, Index patch, Scalar scale = 1) {
  const std::string what = std::to_string(b) + " images of " + std::to_string(height) + " x " +
                           std::to_string(width) + ", patches of " + std::to_string(patch);
  const Index n = height / patch * (width / patch);
  const Tensor patches = normal({b, n, patch * patch}, {.seed = 1}, 0, scale);
  const Tensor got = gradus::unchanged<Tensor>(
      what, {patches}, [&] { return unpatchify(patches, height, width, patch); });
  gradus::expect(what, as_library(got), as_library(right(patches, height, width, patch)), "", 0);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_sizes(2, 4, 6, 2);
    check_sizes(3, 6, 4, 2);
    check_sizes(1, 9, 6, 3);
    check_sizes(2, 3, 5, 1);
    check_sizes(3, 28, 42, 7, 1e6);
    const Tensor images = normal({2, 8, 12}, {.seed = 2});
    gradus::expect("of patchify's patches, the images",
                   as_library(unpatchify(patchify(images, 4), 8, 12, 4)), as_library(images), {},
                   0);
    Tensor patches = normal({2, 6, 16}, {.seed = 3}).set_requires_grad();
    const Tensor y = unpatchify(patches, 8, 12, 4), dy = normal({2, 8, 12}, {.seed = 4});
    if (!y.requires_grad()) red("the gradient is cut: a detach(), or numbers copied in a loop");
    backward(sum(y * dy));
    gradus::expect("the gradient", as_library(patches.grad()), as_library(patchify(dy, 4)), {},
                   1e-6);
  });
}

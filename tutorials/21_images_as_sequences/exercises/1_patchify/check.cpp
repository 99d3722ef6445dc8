#include "pocket/vision.h"
#include "tutorials/common/own.h"

using gradus::as_library, gradus::green, gradus::red, gradus::Tensor;
using pocket::Index;

namespace {

/// By definition.
Tensor right(const Tensor& images, Index patch) {
  const Index b = images.size(0), height = images.size(1), width = images.size(2);
  const Index down = height / patch, across = width / patch;
  Tensor y({b, down * across, patch * patch});
  for (Index i = 0; i < images.size(); ++i) {
    const Index image = i / (height * width), row = i / width % height, column = i % width;
    const Index r = row / patch, c = column / patch;
    const Index n = r * across + c;
    const Index pixel = row % patch * patch + column % patch;
    y.mutable_data()[(image * down * across + n) * patch * patch + pixel] = images.data()[i];
  }
  return y;
}

void check_sizes(Index b, Index height, Index width, Index patch, gradus::Scalar scale = 1) {
  const std::string what = std::to_string(b) + " images of " + std::to_string(height) + " x " +
                           std::to_string(width) + ", patches of " + std::to_string(patch);
  const Tensor images = gradus::normal({b, height, width}, {.seed = 1}, 0, scale);
  const pocket::Tensor given = own(images);
  const Tensor got = as_library(gradus::unchanged<pocket::Tensor>(
      what, {given}, [&] { return pocket::patchify(given, patch); }));
  gradus::expect(what, got, right(images, patch), "", 0);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_sizes(2, 4, 6, 2);
    check_sizes(3, 6, 4, 2);
    check_sizes(1, 6, 9, 3);
    check_sizes(5, 8, 16, 8);
    check_sizes(2, 3, 5, 1);
    check_sizes(4, 28, 42, 7, 1e6);
    pocket::Tensor images = pocket::normal({2, 4, 6}, {.seed = 2}).set_requires_grad();
    const pocket::Tensor y = pocket::patchify(images, 2), dy = pocket::normal(y.shape(), {});
    if (!y.requires_grad()) red("the gradient is cut: a detach(), or numbers copied in a loop");
    pocket::backward(sum(y * dy));
    // d(sum of y dy) / d image is dy, each number back in its place.
    Tensor expected({2, 4, 6}), numbers({2, 4, 6});
    for (Index i = 0; i < 48; ++i) numbers.mutable_data()[i] = static_cast<gradus::Scalar>(i);
    const Tensor from = right(numbers, 2);
    for (Index i = 0; i < 48; ++i) {
      expected.mutable_data()[static_cast<Index>(from.data()[i])] = dy.data()[i];
    }
    gradus::expect("the gradient", as_library(images.grad()), expected, {}, 1e-6);
    for (const auto& [shape, patch] : {std::pair(pocket::Shape{1, 6, 8}, Index{4}),
                                       std::pair(pocket::Shape{4, 5, 4}, Index{2})}) {
      try {
        const pocket::Shape got = pocket::patchify(pocket::zeros(shape), patch).shape();
        std::ostringstream message;
        message << shape << " does not divide into patches of " << patch << ", but you made " << got
                << "\nlikely cause: -1 takes whatever is left; name all five sizes";
        red(message.str());
      } catch (const std::invalid_argument&) {
      }
    }
    green("images that do not divide are refused");
  });
}

#include "tutorials/21_images_as_sequences/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/guards.h"

using gradus::as_library, gradus::green, gradus::red;

namespace {

Tensor right(const Tensor& images, Index patch, Index stride, bool columns = false) {
  const Index b = images.size(0), height = images.size(1), width = images.size(2);
  const Index down = (height - patch) / stride + 1, across = (width - patch) / stride + 1;
  Tensor y({b, down * across, patch * patch});
  for (Index i = 0; i < y.size(); ++i) {
    const Index image = i / (down * across * patch * patch);
    const Index n = i / (patch * patch) % (down * across), pixel = i % (patch * patch);
    const Index r = columns ? n % down : n / across, c = columns ? n / down : n % across;
    const Index row = r * stride + pixel / patch, column = c * stride + pixel % patch;
    y.mutable_data()[i] = images.data()[(image * height + row) * width + column];
  }
  return y;
}

void check_sizes(Index b, Index height, Index width, Index patch, Index stride, Scalar scale = 1) {
  const std::string what = std::to_string(b) + " images of " + std::to_string(height) + " x " +
                           std::to_string(width) + ", patches of " + std::to_string(patch) +
                           ", stride " + std::to_string(stride);
  const Tensor images = normal({b, height, width}, {.seed = 1}, 0, scale);
  const Tensor got = gradus::unchanged<Tensor>(
      what, {images}, [&] { return overlapping_patches(images, patch, stride); });
  const Tensor expected = right(images, patch, stride);
  std::vector<gradus::Cause> causes{{as_library(right(images, patch, stride, true)),
                                     "the patches are in columns: row by row is asked"}};
  if (got.defined() && got.shape() != expected.shape()) {
    std::ostringstream message;
    message << what << ": got " << got.shape() << ", expected " << expected.shape()
            << "\nlikely cause: (size - P) / stride + 1 patches fit, rounded down, for each side";
    red(message.str());
  }
  gradus::expect(what, as_library(got), as_library(expected), causes, 0);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_sizes(2, 4, 6, 2, 2);
    check_sizes(2, 4, 6, 2, 1);
    check_sizes(1, 7, 5, 3, 2);
    check_sizes(3, 6, 9, 4, 1);
    check_sizes(2, 8, 7, 3, 2);   // a column is left over
    check_sizes(1, 9, 10, 2, 3);  // gaps between patches
    check_sizes(2, 5, 8, 5, 3);   // one row of patches
    check_sizes(2, 20, 31, 7, 4, 1e6);
    Tensor images = normal({2, 5, 7}, {.seed = 2}).set_requires_grad();
    const Tensor y = overlapping_patches(images, 3, 1), dy = normal(y.shape(), {.seed = 3});
    if (!y.requires_grad()) red("the gradient is cut: a detach(), or numbers copied in a loop");
    backward(sum(y * dy));
    // A pixel's gradient is the sum over the patches that have it.
    Tensor numbers({2, 5, 7}), expected({2, 5, 7});
    for (Index i = 0; i < 70; ++i) numbers.mutable_data()[i] = static_cast<Scalar>(i);
    const Tensor from = right(numbers, 3, 1);
    for (Index i = 0; i < from.size(); ++i) {
      expected.mutable_data()[static_cast<Index>(from.data()[i])] += dy.data()[i];
    }
    gradus::expect("the gradient: a sum over the patches that share a pixel",
                   as_library(images.grad()), as_library(expected), {}, 1e-5);
  });
}

#include "autograd/ops/shape.h"
#include "pocket/vision.h"
#include "tutorials/common/compare.h"

using gradus::green, gradus::red, pocket::Index;

namespace {

void check_sizes(Index b, Index height, Index width, Index p, gradus::Scalar scale = 1) {
  compare(
      gradus::detail::text(b, " images of ", height, " x ", width, ", patches of ", p),
      {gradus::normal({b, height, width}, {.seed = 1}, 0, scale)},
      [&](const auto& x) { return pocket::patchify(x[0], p); },
      [&](const auto& x) {
        const auto grid = gradus::reshape(x[0], {b, height / p, p, width / p, p});
        return gradus::reshape(gradus::permute(grid, {0, 1, 3, 2, 4}), {b, -1, p * p});
      });
}

}  // namespace

CHECK_ANSWER() {
  check_sizes(2, 4, 6, 2);
  check_sizes(3, 6, 4, 2);
  check_sizes(1, 6, 9, 3);
  check_sizes(5, 8, 16, 8);
  check_sizes(2, 3, 5, 1);
  check_sizes(4, 28, 42, 7, 1e6);
  for (const auto& [shape, patch] :
       {std::pair(pocket::Shape{1, 6, 8}, Index{4}), std::pair(pocket::Shape{4, 5, 4}, Index{2})}) {
    pocket::Tensor got;
    if (gradus::refusal([&] { got = pocket::patchify(pocket::zeros(shape), patch); })) continue;
    red(shape, " does not divide into patches of ", patch, ", but you made ", got.shape(),
        "\nlikely cause: -1 takes whatever is left; name all five sizes");
  }
  green("images that do not divide are refused");
}

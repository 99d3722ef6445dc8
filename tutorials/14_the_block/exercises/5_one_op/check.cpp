#include "autograd/ops/norm.h"
#include "tutorials/14_the_block/exercises.h"
#include "tutorials/common/compare.h"

namespace {

namespace g = gradus;

void check_at(const std::string& what, const g::Shape& shape, std::uint64_t seed, g::Scalar offset,
              g::Scalar spread) {
  compare(
      what, {g::normal(shape, {.seed = seed}, offset, spread)},
      [&](const auto& x) {
        const Tensor y = my_layer_norm(x[0]);
        if (y.defined() && !y.requires_grad()) {
          g::red(what, ": the result has no node: call record()");
        }
        if (y.defined() && y.node()->inputs != std::vector{x[0].node()}) {
          g::red(what,
                 ": the graph got more than one node\nlikely cause: ops were applied to x itself; "
                 "compute with x.detach(), and record x as the input");
        }
        return y;
      },
      [&](const auto& x) {
        return g::layer_norm(x[0], g::ones({shape[-1]}), g::zeros({shape[-1]}));
      });
}

}  // namespace

CHECK_ANSWER() {
  check_at("three rows of five", {3, 5}, 1, 3, 3);
  check_at("[2, 3, 4]", {2, 3, 4}, 3, -1, 2);
  check_at("so small that epsilon counts", {4, 3}, 5, 0, g::Scalar(0.003));
  check_at("around 10000", {3, 6}, 7, 10000, 1);
}

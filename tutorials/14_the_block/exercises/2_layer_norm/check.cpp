#include "autograd/ops/norm.h"
#include "pocket/block.h"
#include "tutorials/common/compare.h"

namespace {

using gradus::Scalar;

void check_at(const std::string& what, const gradus::Shape& shape, std::uint64_t seed,
              Scalar offset, Scalar spread, Scalar epsilon = Scalar(1e-5)) {
  const gradus::Index n = shape[-1];
  const auto x = gradus::normal(shape, {.seed = seed}, offset, spread);
  const auto w = gradus::normal({n}, {.seed = seed + 1}, 2, 1);
  const auto b = gradus::normal({n}, {.seed = seed + 2}, 1, 1);
  compare(
      what, {x, w, b}, [&](const auto& x) { return pocket::layer_norm(x[0], x[1], x[2], epsilon); },
      [&](const auto& x) { return gradus::layer_norm(x[0], x[1], x[2], epsilon); });
}

}  // namespace

CHECK_ANSWER() {
  check_at("two rows of four", {2, 4}, 1, 3, 2);
  check_at("[3, 2, 5]", {3, 2, 5}, 4, -1, 1);
  check_at("so small that epsilon counts", {4, 3}, 7, 0, Scalar(0.003));
  check_at("another epsilon", {4, 3}, 13, 0, 1, Scalar(0.5));
  check_at("around 10000", {3, 6}, 10, 10000, 1);
  check_at("rows of equal numbers", {2, 3}, 16, 7, 0);
}

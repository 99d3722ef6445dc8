#include "autograd/ops/norm.h"
#include "pocket/ops.h"
#include "tutorials/common/compare.h"

namespace {

void check_at(const std::string& what, const gradus::Shape& shape, std::uint64_t seed,
              gradus::Scalar mean, gradus::Scalar std, gradus::Scalar epsilon) {
  const gradus::Tensor x = gradus::normal(shape, {.seed = seed}, mean, std);
  const gradus::Tensor w = gradus::normal({shape[-1]}, {.seed = seed + 1}, 2, 1);
  compare(
      what, {x, w}, [&](const auto& x) { return pocket::rms_norm(x[0], x[1], epsilon); },
      [&](const auto& x) { return gradus::rms_norm(x[0], x[1], epsilon); });
}

}  // namespace

CHECK_ANSWER() {
  const auto small = gradus::Scalar(1e-5);
  check_at("[2, 4], numbers about 3", {2, 4}, 1, 3, 2, small);
  check_at("[2, 3, 5]", {2, 3, 5}, 3, 0, 1, small);
  check_at("[7], a single row", {7}, 5, 1, 1, small);
  check_at("numbers of 1e4", {3, 6}, 7, 0, 1e4, small);
  check_at("numbers of 0.001, epsilon 1e-5", {3, 4}, 9, 0, gradus::Scalar(1e-3), small);
  check_at("numbers of 0.001, epsilon 0.01", {3, 4}, 9, 0, gradus::Scalar(1e-3),
           gradus::Scalar(0.01));
  check_at("rows of zeros", {2, 3}, 11, 0, 0, small);
}

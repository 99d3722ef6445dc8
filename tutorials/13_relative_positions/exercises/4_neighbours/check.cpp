#include "autograd/ops/rotary.h"
#include "autograd/ops/shape.h"
#include "tutorials/13_relative_positions/exercises.h"
#include "tutorials/common/compare.h"

namespace {

constexpr double kBase = 100;  // not the usual one: the angles must come from the table

/// [..., C] with all even channels first, or from this order back.
gradus::Tensor ordered(const gradus::Tensor& x, bool back) {
  const gradus::Index half = x.size(-1) / 2;
  const gradus::Shape pairs = x.shape().with(-1, back ? 2 : half).append(back ? half : 2);
  return gradus::reshape(gradus::transpose(gradus::reshape(x, pairs), -1, -2), x.shape());
}

void check_at(const std::string& what, const gradus::Shape& shape) {
  const Tensor own_table = rotary_table(shape[-2], shape[-1], kBase);
  const gradus::Tensor table = gradus::rotary_table(shape[-2], shape[-1], kBase);
  compare(
      what, {gradus::normal(shape, {.seed = 1}, 1, 2)},
      [&](const auto& x) { return my_rotary(x[0], own_table); },
      [&](const auto& x) { return ordered(gradus::rotary(ordered(x[0], false), table), true); });
}

}  // namespace

CHECK_ANSWER() {
  check_at("[3, 4]", {3, 4});
  check_at("[2, 2, 5, 6]", {2, 2, 5, 6});
  check_at("[40, 8]", {40, 8});
}

#include "autograd/ops/rotary.h"
#include "pocket/position.h"
#include "tutorials/common/compare.h"

namespace {

constexpr double kBase = 100;  // not the usual one: the angles must come from the table

void check_at(const std::string& what, const gradus::Shape& shape, gradus::Index first) {
  const pocket::Tensor own_table = pocket::rotary_table(250, shape[-1], kBase);
  const gradus::Tensor table = gradus::rotary_table(250, shape[-1], kBase);
  compare(
      what, {gradus::normal(shape, {.seed = 1}, 1, 2)},
      [&](const auto& x) { return pocket::rotary(x[0], own_table, first); },
      [&](const auto& x) { return gradus::rotary(x[0], table, first); });
}

}  // namespace

CHECK_ANSWER() {
  check_at("[3, 4]", {3, 4}, 0);
  check_at("[2, 2, 5, 6] from position 7 on", {2, 2, 5, 6}, 7);
  check_at("[40, 8] from position 200 on", {40, 8}, 200);
}

#include "tutorials/common/check.h"

#include "pocket/tensor.h"

using gradus::listed, pocket::Shape, pocket::Strides;

CHECK_ANSWER() {
  const std::vector<std::pair<Shape, Strides>> asked = {
      {{2, 3, 5, 7}, {105, 35, 7, 1}},
      {{2, 3, 5, 7, 11}, {1155, 385, 77, 11, 1}},
      {{2, 3, 4}, {12, 4, 1}},
      {{3, 1}, {1, 1}},
      {{6}, {1}},
      {{}, {}},
      {{3, 100'001, 100'003}, {10'000'400'003, 100'003, 1}}};
  for (const auto& [shape, right] : asked) {
    const Strides got = pocket::strides_of(shape);
    const std::string what = gradus::detail::text(shape, ": got ", listed(got));
    if (got != right) {
      gradus::red(what, ", expected ", listed(right),
                  gradus::likely("the stride of an axis is the product of all later sizes"));
    }
    gradus::green(what);
  }
}

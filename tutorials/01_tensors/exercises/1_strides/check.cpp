#include "tutorials/common/check.h"

#include "pocket/tensor.h"

namespace {

using pocket::Shape, pocket::Strides;

std::string listed(const Strides& strides) {
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(strides.size(), 6); ++k)
    text += (text.empty() ? "" : " ") + std::to_string(strides[k]);
  if (strides.size() > 6) text += " ... " + std::to_string(strides.size()) + " in all";
  return "{" + text + "}";
}

}  // namespace

int main() {
  return gradus::run_check([] {
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
      std::ostringstream what;
      what << shape << ": got " << listed(got);
      if (got != right) {
        gradus::red(what.str() + ", expected " + listed(right) +
                    gradus::likely("the stride of an axis is the product of all later sizes"));
      }
      gradus::green(what.str());
    }
  });
}

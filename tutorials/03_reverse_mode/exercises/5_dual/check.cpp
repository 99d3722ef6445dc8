#include "tutorials/common/check.h"

#include "tutorials/03_reverse_mode/exercises.h"

using gradus::green, gradus::red;

namespace {

void dual_is(const std::string& what, const Dual& got, double value, double slope) {
  gradus::expect_number(what + ": the value", got.value, value, 1e-12);
  gradus::expect_number(what + ": the slope", got.slope, slope, 1e-12);
}

}  // namespace

CHECK_ANSWER() {
  for (const auto& [a, b] : {std::pair{Dual{3, 1}, Dual{2, 0}},
                             {Dual{-1.5, 0.5}, Dual{0.25, -2}},
                             {Dual{1e4, 1}, Dual{-1e4, 3}},
                             {Dual{0.5, 1}, Dual{0.5, 1}}}) {
    dual_is("sum", add(a, b), a.value + b.value, a.slope + b.slope);
    dual_is("product", multiply(a, b), a.value * b.value, b.value * a.slope + a.value * b.slope);
  }
  green("sums and products");
  for (const Dual& x :
       {Dual{0.5, 1}, Dual{-2, 3}, Dual{0.1, 0}, Dual{1e4, 1}, Dual{0.3, 1e4}, Dual{-0.7, -1e6}}) {
    const double y = std::tanh(x.value);
    dual_is("tanh", tanh_of(x), y, (1 - y * y) * x.slope);
  }
  if (!std::isnan(multiply(Dual{2, NAN}, Dual{3, 0}).slope)) red("a slope that is NaN was lost");
  green("tanh");
  // (a b + c) d by each input, as on the page.
  const double right[] = {15, 10, 5, 4};
  for (int chosen = 0; chosen < 4; ++chosen) {
    const auto start = [&](int i, double value) { return Dual{value, i == chosen ? 1.0 : 0.0}; };
    const Dual y = multiply(add(multiply(start(0, 2), start(1, 3)), start(2, -2)), start(3, 5));
    dual_is("(a b + c) d", y, 20, right[chosen]);
  }
  green("the four slopes of the page");
}

#include "autograd/check.h"

#include "tutorials/05_gradients_you_can_trust/exercises.h"
#include "tutorials/common/check.h"

using namespace gradus;

CHECK_ANSWER() {
  const double places[][2] = {{0.05, 0.1},    {0, 0.1},       {-0.025, 0.1}, {0.5, 0.1},
                              {-0.5, 0.25},   {0.5, 1},       {-0.75, 1},    {0.001, 0.0001},
                              {0.125, 0.125}, {-0.125, 0.125}};
  for (const auto& [x, h] : places) {
    const auto relu = [](double at) { return std::max(at, 0.0); };
    const double expected = (relu(x + h) - relu(x - h)) / (2 * h);
    const Verdict got = my_verdict(x, h);
    const std::string where = detail::text("x = ", x, ", h = ", h);
    expect("central difference at " + where, scalar(static_cast<Scalar>(got.difference)),
           scalar(static_cast<Scalar>(expected)));
    const bool fair = x >= h || x <= -h;
    if (got.fair && !fair) {
      red("fair at ", where,
          ": got true, expected false\nthe kink at 0 lies between x - h and "
          "x + h, so the difference mixes both slopes");
    }
    if (!got.fair && fair) {
      red("fair at ", where, ": got false, expected true\n",
          (x < 0 ? "left of its kink relu is a straight line too"
                 : "the kink lies outside of x - h and x + h: both points see one line"));
    }
    green("whether that is fair");
  }
}

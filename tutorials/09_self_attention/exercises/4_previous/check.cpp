#include "tutorials/common/check.h"

#include <algorithm>

#include "tutorials/09_self_attention/exercises.h"

using gradus::as_library, gradus::green, gradus::must_be_finite, gradus::red, gradus::shape_got;

CHECK_ANSWER() {
  const auto [q, k] = copy_the_previous();
  if (!q.defined() || !k.defined() || q.shape() != pocket::Shape{4, 4} ||
      k.shape() != pocket::Shape{4, 4}) {
    red("queries and keys must be [4, 4] each: queries ", shape_got(q), ", keys ", shape_got(k));
  }
  const gradus::Tensor weights = as_library(softmax(matmul(q, k, {.b = true}) / 2));
  std::cout << "your weights\n" << weights << "\n";
  must_be_finite("your weights", weights,
                 "numbers so large that their products are infinite; 20 or so is large enough");
  const auto share = [&](auto target) {  // the least that any row puts at its target
    double least = 1;
    for (Index t = 0; t < 4; ++t) least = std::min(least, double{weights.at({t, target(t)})});
    return least;
  };
  const auto before = [](Index t) { return std::max<Index>(t - 1, 0); };
  if (share(before) >= 0.99) {
    green("each row puts 0.99 or more on the token before");
    return;
  }
  if (share([](Index t) { return t; }) > 0.5) {
    red("each token copies itself: query t must match key t - 1");
  }
  if (share([](Index t) { return std::min<Index>(t + 1, 3); }) > 0.5) {
    red("each token copies the one after it: query t must match key t - 1");
  }
  bool best = true;  // whether each row puts more on the token before than on any other
  for (Index t = 0; t < 4; ++t) {
    for (Index s = 0; s < 4; ++s) {
      best = best && (s == before(t) || weights.at({t, s}) < weights.at({t, before(t)}));
    }
  }
  if (best) {
    red("attends to the right token, but not sharply enough: the least share is ", share(before),
        ", and 0.99 is asked (make the numbers larger)");
  }
  Index row = 0;
  while (weights.at({row, before(row)}) >= 0.99) ++row;
  red("row ", row, " must put 0.99 on token ", before(row), ": got ",
      weights.at({row, before(row)}), " (row t on token t - 1, row 0 on itself)");
}

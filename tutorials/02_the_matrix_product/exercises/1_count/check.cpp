#include "tutorials/common/check.h"

#include "tutorials/02_the_matrix_product/exercises.h"

CHECK_ANSWER() {
  struct Asked {
    Shape a, b;
    Index right;
  };
  const std::vector<Asked> all = {
      {{30, 40}, {40, 50}, 120000},      {{7, 30, 40}, {7, 40, 50}, 840000},
      {{7, 30, 40}, {40, 50}, 840000},   {{30, 40}, {7, 40, 50}, 840000},
      {{3, 11, 17}, {3, 17, 13}, 14586}, {{5000, 4000}, {4000, 3000}, 120'000'000'000}};
  for (const auto& [a, b, right] : all) {
    const Index got = operations(a, b);
    const std::string what =
        gradus::detail::text(a, " times ", b, ": got ", got, ", expected ", right);
    if (got != right) {
      gradus::red(what, gradus::likely("B M N results, each a sum of K products"));
    }
    gradus::green(what);
  }
}

#include "tutorials/common/check.h"

#include <cfenv>

#include "pocket/int8.h"

using gradus::green, gradus::red;

namespace {

void ask(const std::string& what, const std::vector<pocket::Scalar>& row) {
  const std::vector<pocket::Scalar> given = row;
  std::feclearexcept(FE_ALL_EXCEPT);
  const pocket::Int8Row got = pocket::to_int8(row);
  if (std::fetestexcept(FE_INVALID) != 0) {
    red(what, ": 0 / 0, or a number that its integer cannot hold");
  }
  if (got.whole.size() != row.size()) {
    red(what, ": got ", got.whole.size(), " whole numbers for ", row.size());
  }
  if (row != given) red(what, ": the row has changed");
  double largest = 0;
  for (const pocket::Scalar x : row) largest = std::max(largest, std::abs(double{x}));
  if (!std::isfinite(got.scale)) red(what, ": the scale is ", got.scale);
  bool same = largest == 0 || std::abs(got.scale - largest / 127) <= 1e-5 * largest / 127;
  std::string table = gradus::detail::text("\n  scale: got ", got.scale, ", expected ",
                                           largest / 127, "\n  number  got  expected");
  int shown = 0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const double exact = largest == 0 ? 0 : double{row[j]} / (largest / 127);
    const bool near =
        largest == 0 ? got.scale * got.whole[j] == 0 : std::abs(got.whole[j] - exact) <= 0.5 + 1e-4;
    same = same && near;
    if ((row.size() > 8 && near) || ++shown > 8) continue;
    table +=
        gradus::detail::text("\n  ", row[j], "  ", int(got.whole[j]), "  ", std::lround(exact));
  }
  if (!same) red(what + table);
  green(what);
}

std::vector<pocket::Scalar> many(std::size_t n, pocket::Scalar size) {
  std::vector<pocket::Scalar> row;
  std::uint32_t state = 26;
  for (std::size_t i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    row.push_back(size *
                  (pocket::Scalar(state >> 8) / pocket::Scalar(1 << 24) - pocket::Scalar(0.5)));
  }
  return row;
}

}  // namespace

CHECK_ANSWER() {
  ask("five numbers", {0.3f, -0.8f, 1, 0.26f, 0});
  ask("the largest is negative", {0.3f, -2, 1, 0.5f});
  ask("one number", {3});
  ask("one negative number", {-5});
  ask("two numbers of one size", {4, -4, 1.1f});
  ask("zeros", {0, 0, 0});
  ask("positive numbers", {0.9f, 0.7f, 0.8f});
  ask("a hundred small numbers", many(100, 1e-3f));
  ask("a thousand numbers of about 10000", many(1000, 2e4f));
  std::vector<pocket::Scalar> spoilt = many(50, 1);
  spoilt[7] = 100;
  ask("an outlier", spoilt);
  ask("none", {});
}

#include <cstdio>

#include "tutorials/24_other_peoples_weights/exercises.h"
#include "tutorials/common/check.h"

using gradus::green;
using gradus::red;

namespace {

/// By long multiplication, from the definition.
double expected(int half) {
  const int exponent = (half / 1024) % 32, fraction = half % 1024;
  if (exponent == 31) return fraction == 0 ? (half < 32768 ? INFINITY : -INFINITY) : NAN;
  double x = exponent == 0 ? fraction / 1024.0 : 1 + fraction / 1024.0;
  for (int i = exponent == 0 ? 1 : exponent; i < 15; ++i) x /= 2;
  for (int i = 15; i < exponent; ++i) x *= 2;
  return half < 32768 ? x : -x;
}

void check_numbers(const std::string& what, int first, int last, const std::string& cause) {
  std::vector<std::uint16_t> halves;
  for (int half = first; half < last; ++half) halves.push_back(std::uint16_t(half));
  const auto before = halves;
  const std::vector<float> got = my_from_half(halves);
  if (halves != before) red(what + ": the argument has changed");
  if (got.size() != halves.size()) {
    red(what + ": " + std::to_string(got.size()) + " numbers for " + std::to_string(halves.size()));
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double right = expected(halves[i]);
    const bool both_nan = std::isnan(right) && std::isnan(got[i]);
    if (both_nan || (got[i] == right && std::signbit(got[i]) == std::signbit(right))) continue;
    char said[200];
    std::snprintf(said, sizeof said, "%s: 0x%04x is %g, got %g\nlikely cause: %s", what.c_str(),
                  halves[i], right, got[i], cause.c_str());
    red(said);
  }
  green(what);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_numbers("1", 0x3c00, 0x3c01, "is the bias of the exponent 15?");
    check_numbers("what follows 1", 0x3c01, 0x3c04,
                  "f / 1024 in whole numbers is 0; 1024 + f must not be rounded");
    check_numbers("all from 2^-14 to 65504", 0x0400, 0x7c00, "a 1 is before the fraction");
    check_numbers("negative ones", 0x8400, 0xfc00, "the highest bit is the sign");
    check_numbers("0, and the smallest", 0x0000, 0x0400,
                  "where e is 0, no 1 is before the fraction, and the power is -14");
    check_numbers("-0, and the smallest", 0x8000, 0x8400, "-0 has its sign, too");
    check_numbers("infinity", 0x7c00, 0x7c01, "e = 31 is no power of two");
    check_numbers("-infinity", 0xfc00, 0xfc01, "an infinity has a sign");
    check_numbers("not a number", 0x7c01, 0x8000, "e = 31 with a fraction is not a number");
    check_numbers("none", 0, 0, "");
    check_numbers("all", 0, 65536, "");
  });
}

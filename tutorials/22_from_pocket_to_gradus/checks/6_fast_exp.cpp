#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"
#include "tutorials/common/check.h"

using gradus::green;
using gradus::red;

namespace {

bool watched = false;          // fast_exp runs
const char* called = nullptr;  // what it called of the library

double exact(double x) { return double(expl(x)); }

std::string written(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

std::string cause_of(double x, double got, double right) {
  if (std::isnan(got)) return "NaN; is an exponent beyond -126 to 127?";
  if (got == 0) return "only below -87 is it 0";
  const double n = std::nearbyint(x * 1.4426950408889634);
  const auto near = [&](double y) { return std::abs(got / y - 1) < 1e-4; };
  if (near(right / 2)) return "that is half of e^x: a float's exponent has 127 added";
  if (near(right * 2)) return "that is twice e^x: a float's exponent has 127 added";
  if (near(std::ldexp(1, int(n)))) return "that is 2^n alone";
  if (near(double(exp2l(x)))) return "that is 2^x: n is x / ln 2";
  if (std::abs(x) < 0.3) return "the polynomial needs more terms, up to r^6 / 720";
  if (std::abs(double(fast_exp(float(x))) * double(fast_exp(float(-x))) - 1) > 1e-4) {
    return "far from 0 e^x and e^-x are wrong to the same side, as powers of 1 + x / N are: "
           "compute "
           "2^n e^r with |r| less than 0.35";
  }
  if (std::abs(x) < 1) return "round to the nearest whole n, so that |r| is less than 0.35";
  return "ln 2 in one float is not exact enough for n ln 2: subtract it in two parts";
}

/// fast_exp of x, which must compute it.
float computed(float x) {
  called = nullptr, watched = true;
  const float y = fast_exp(x);
  watched = false;
  if (called == nullptr) return y;
  const std::string name = called;
  const auto is_one_of = [&](const std::vector<std::string>& names) {
    return std::ranges::any_of(names,
                               [&](const std::string& each) { return name.starts_with(each); });
  };
  red("e^" + written(x) + ": a call of " + name + ", and so for each number\nlikely cause: " +
      (is_one_of({"ldexp", "scalb"})
           ? "2^n by a function of the library; it is the float with the bits (n + 127) << 23, by "
             "std::bit_cast"
       : is_one_of({"fmod", "remainder", "frexp", "modf"})
           ? "r or n by a function of the library; n is std::nearbyint(), r is x minus n ln 2, in "
             "two parts"
           : "the library's own exponential, by another name at least; compute 2^n e^r, and e^r by "
             "a polynomial"));
}

void near(double from, double to, double step) {
  for (double x = from; x <= to; x += step) {
    const float at = float(x), got = computed(at);
    const double right = exact(at), unit = std::ldexp(1, std::ilogb(right) - 23);
    const double wrong = std::abs(got - right) / unit;
    if (wrong <= 4) continue;
    red("e^" + written(at) + ": got " + written(got) + ", expected " + written(right) +
        (wrong < 1e6 ? ", wrong by " + std::to_string(int(wrong)) + " units of the last digit"
                     : "") +
        "\nlikely cause: " + cause_of(at, got, right));
  }
}

}  // namespace

// Each takes the place of the library's function, and calls it. A constant, such as the logarithm
// of 2, counts for nothing: compilers compute it beforehand.
#define NOTICE(type, name, parameters, arguments)                                           \
  extern "C" type name parameters noexcept {                                                \
    static const auto real = reinterpret_cast<type(*) parameters>(dlsym(RTLD_NEXT, #name)); \
    if (watched && x != type(1) && x != type(2)) called = #name;                            \
    return real arguments;                                                                  \
  }
#define NOTICE_ONE(name)                 \
  NOTICE(float, name##f, (float x), (x)) \
  NOTICE(double, name, (double x), (x))  \
  NOTICE(Longest, name##l, (Longest x), (x))
#define NOTICE_TWO(name, other)                             \
  NOTICE(float, name##f, (float x, other(float) y), (x, y)) \
  NOTICE(double, name, (double x, other(double) y), (x, y)) \
  NOTICE(Longest, name##l, (Longest x, other(Longest) y), (x, y))
#define SAME(type) type
#define INT(type) int
#define LONG(type) long
#define INT_TO(type) int*
#define SAME_TO(type) type*
using Longest = long double;
using ComplexFloat = __complex__ float;
using ComplexDouble = __complex__ double;

NOTICE_ONE(exp);
NOTICE_ONE(exp2);
NOTICE_ONE(exp10);
NOTICE_ONE(expm1);
NOTICE_ONE(sinh);
NOTICE_ONE(cosh);
NOTICE_ONE(tanh);
NOTICE_ONE(log);
NOTICE_ONE(log2);
NOTICE_ONE(log10);
NOTICE_ONE(log1p);
NOTICE_TWO(pow, SAME);
NOTICE_TWO(fmod, SAME);
NOTICE_TWO(remainder, SAME);
NOTICE_TWO(ldexp, INT);
NOTICE_TWO(scalbn, INT);
NOTICE_TWO(scalbln, LONG);
NOTICE_TWO(frexp, INT_TO);
NOTICE_TWO(modf, SAME_TO);
NOTICE(ComplexFloat, cexpf, (ComplexFloat x), (x));
NOTICE(ComplexDouble, cexp, (ComplexDouble x), (x));

int main() {
  return gradus::run_check([] {
    for (const float x : {-80.0f, -1.0f, 1.5f, 80.0f}) computed(x);
    near(-0.25, 0.25, 0.01);
    near(-0.99, 0.99, 0.01);
    near(-86.999, 88, 0.00037);
    for (const double x : {-87.0, 88.0}) near(x, x, 1);
    green("within 4 units of the last digit from -87 to 88");
    for (const float x : {std::nextafter(-87.0f, -88.0f), -87.3f, -87.5f, -88.0f, -100.0f, -1000.0f,
                          -1e30f, -INFINITY}) {
      const float got = computed(x);
      if (got == 0) continue;
      red("e to the power of " + written(x) + ": got " + written(got) +
          ", expected 0, also of -inf, a hidden key's score\nlikely cause: the result is chosen by "
          "n; choose it by x < -87");
    }
    for (const float x : {88.0f, 89.0f, 100.0f, 1000.0f, 1e30f, INFINITY}) {
      const float got = computed(x);
      if (got >= 1.6e38f) continue;
      red("e^" + written(x) + ": got " + written(got) +
          ", expected at least e^88\nlikely cause: n does not fit into the exponent; clamp it");
    }
    const float got = computed(NAN);
    if (!std::isnan(got)) red("of NaN: got " + written(got) + ", expected NaN");
    green("0 far below, large far above, NaN of NaN");
  });
}

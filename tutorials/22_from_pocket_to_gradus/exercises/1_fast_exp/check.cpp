// flags of answers: -fsanitize=float-cast-overflow
#include <dlfcn.h>
#if __has_include(<link.h>)
#include <link.h>
#endif

#include <bit>
#include <cstdint>
#include <cstdio>
#include <random>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"
#include "tutorials/common/check.h"

using gradus::green, gradus::red;

namespace {

bool watched = true;           // fast_exp runs; or main() has not begun, and tables are made
const char* called = nullptr;  // the library function that it called
bool is_no_number = false;     // it cast a value that fits no whole number, such as NaN

double exact(double x) { return double(expl(x)); }

std::string written(double x, const char* format = "%.9g") {
  char text[32];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

/// How many numbers in memory, of one type, follow each other as powers do, at most.
struct Runs {
  int by_factor = 0;  ///< each is the one before times one factor; after the first two
  int squared = 0;  ///< each is the square of the one before, or of the one after; after the first
};

template <class Number>
void find_powers(std::uintptr_t begin, std::uintptr_t end, Runs& most) {
  const auto is_same = [](Number x, Number y) { return std::abs(x / y - 1) < Number(1e-5); };
  const auto is_not_1 = [](Number x) { return std::abs(x - 1) > Number(1e-3); };
  const auto count = [](bool goes_on, int& run, int& longest) {
    run = goes_on ? run + 1 : 0;
    longest = std::max(longest, run);
  };
  int by_factor = 0, squares = 0, roots = 0;
  const auto* x = reinterpret_cast<const Number*>((begin + 7) / 8 * 8);
  const auto size = std::intptr_t((end - std::uintptr_t(x)) / sizeof(Number));
  for (std::intptr_t i = 2; i < size; ++i) {
    const Number a = x[i - 2], b = x[i - 1], c = x[i], factor = b / a;
    const bool are_two = std::isnormal(b) && std::isnormal(c),
               are_three = are_two && std::isnormal(a);
    count(are_three && is_not_1(factor) && is_same(c / b, factor), by_factor, most.by_factor);
    count(are_two && is_not_1(b) && is_same(c, b * b), squares, most.squared);
    count(are_two && is_not_1(c) && is_same(b, c * c), roots, most.squared);
  }
}

/// Before main() an answer's own static variables are made, if the compiler has not done it.
void must_have_no_table() {
  watched = false;
  Runs most;
#if __has_include(<link.h>)
  const auto look = [](dl_phdr_info* program, std::size_t, void* runs) {
    for (int i = 0; i < program->dlpi_phnum; ++i) {
      const auto& part = program->dlpi_phdr[i];
      if (part.p_type != PT_LOAD || (part.p_flags & PF_R) == 0) continue;
      const std::uintptr_t begin = program->dlpi_addr + part.p_vaddr, end = begin + part.p_memsz;
      find_powers<float>(begin, end, *static_cast<Runs*>(runs));
      find_powers<double>(begin, end, *static_cast<Runs*>(runs));
    }
    return 1;  // the first is the program itself
  };
  dl_iterate_phdr(look, &most);
#endif
  const bool is_table = most.by_factor >= 6, is_squared = most.squared >= 4;
  if (!is_table && !is_squared && called == nullptr) return;
  red((called != nullptr ? "a call of " + std::string(called) + " before main()"
       : is_table        ? "there is a table of " + std::to_string(most.by_factor + 2) + " powers"
                         : "there is a table of " + std::to_string(most.squared + 1) +
                        " powers, each the square of its neighbour"),
      "\nlikely cause: a table of powers in a static or global variable; a loop fetches each "
      "number from it, which is slow. Compute 2^n e^r, and 2^n by its bits");
}

/// fast_exp of x, which must compute it.
float computed(float x) {
  called = nullptr, watched = true;
  const float y = fast_exp(x);
  watched = false;
  if (called == nullptr) return y;
  red("e^", written(x), ": a call of ", called,
      ", and so for each number\nlikely cause: a function of the library. Compute 2^n e^r: n by "
      "std::nearbyint(), r is x minus n ln 2, e^r is a polynomial, and 2^n the float with the bits "
      "(n + 127) << 23, by std::bit_cast");
}

void near(float at) {
  const float got = computed(at);
  const double right = exact(at), unit = std::ldexp(1, std::ilogb(right) - 23);
  const double wrong = std::abs(got - right) / unit;
  if (wrong <= 4) return;
  red("e^", written(at), ": got ", written(got), ", expected ", written(right),
      (wrong < 1e6 ? ", wrong by " + written(wrong, "%.1f") + " units of the last digit" : ""));
}

void near(double from, double to, double step) {
  for (double x = from; x <= to; x += step) near(float(x));
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
__extension__ typedef __complex__ float ComplexFloat;  // no warning: it is C's, not C++'s
__extension__ typedef __complex__ double ComplexDouble;

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

/// Called when an answer casts a float that no whole number equals.
extern "C" void __ubsan_handle_float_cast_overflow(void*, void*) { is_no_number = true; }

CHECK_ANSWER() {
  must_have_no_table();
  for (const float x : {-80.0f, -1.0f, 1.5f, 80.0f}) computed(x);
  near(-0.25, 0.25, 0.01);
  near(-0.99, 0.99, 0.01);
  near(-86.999, 88, 0.00037);
  near(-87.0f), near(88.0f);
  std::mt19937 random(1);
  for (int i = 0; i < 300000; ++i) {  // floats of all sizes: many are so small that e^x is 1
    const float x = std::bit_cast<float>(std::uint32_t(random()));
    if (x >= -87 && x <= 88) near(x);
  }
  green("within 4 units of the last digit from -87 to 88");
  for (const float x : {std::nextafter(-87.0f, -88.0f), -87.3f, -87.5f, -88.0f, -100.0f, -1000.0f,
                        -1e30f, -INFINITY}) {
    const float got = computed(x);
    if (got == 0) continue;
    red("e to the power of ", written(x), ": got ", written(got),
        ", expected 0, also of -inf, a hidden key's score\nlikely cause: the result is chosen by "
        "n; choose it by x < -87");
  }
  for (const float x : {88.0f, 89.0f, 100.0f, 1000.0f, 1e30f, INFINITY}) {
    const float got = computed(x);
    if (got >= 1.6e38f) continue;
    red("e^", written(x), ": got ", written(got),
        ", expected at least e^88\nlikely cause: n does not fit into the exponent; clamp it");
  }
  is_no_number = false;
  const float got = computed(NAN);
  if (!std::isnan(got)) red("of NaN: got ", written(got), ", expected NaN");
  if (is_no_number) {
    red("of NaN: n is NaN, and is cast to a whole number, which is undefined\nlikely cause: each "
        "comparison with NaN is false; clamp with x last, std::min(88.0f, x)");
  }
  green("0 far below, large far above, NaN of NaN");
}

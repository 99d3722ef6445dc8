#include "tutorials/common/check.h"

#include "tutorials/02_the_matrix_product/exercises.h"

namespace {

std::string cause_of(const Shape& a, const Shape& b, Index got, Index right) {
  const Index of_a = a.rank() == 3 ? a[0] : 1, of_b = b.rank() == 3 ? b[0] : 1;
  const Index one = 2 * a[-2] * a[-1] * b[-1];
  if (got * 2 == right) return "the additions were left out: each result adds K products";
  if (got * a[-1] == right) return "the inner size was left out: each result is a sum over K";
  if (got + right / (2 * a[-1]) == right) {
    return "the first addition of each sum, to 0, counts as well, by convention: K of them, not K "
           "- 1";
  }
  if (of_a * of_b > 1 && got == one && of_a == 1) {
    return "b may have a batch where a has none; or the batch was left out";
  }
  if (of_a * of_b > 1 && got == one) return "the batch was left out";
  if (of_a > 1 && of_b > 1 && got == one * of_a * of_b) {
    return "both batches were counted: matrix i of a is multiplied by matrix i of b alone";
  }
  if (got == 2 * a[0] * a[1] * b[1]) {
    return "axis 0 of a is its batch where it has three axes; from the end, a[-2] and a[-1] are M "
           "and K";
  }
  return "B M N results, each a sum of K products";
}

}  // namespace

int main() {
  return gradus::run_check([] {
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
      std::ostringstream what;
      what << a << " times " << b << ": got " << got << ", expected " << right;
      if (got != right) gradus::red(what.str() + "\nlikely cause: " + cause_of(a, b, got, right));
      gradus::green(what.str());
    }
  });
}

#include <algorithm>

#include "autograd/more/random.h"
#include "tutorials/07_from_text_to_loss/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/guards.h"

namespace {

/// The reader's, which neither changes x nor asks the library for the answer.
Tensor asked(const Tensor& x) {
  return unchanged<Tensor>("my_log_softmax(x)", {x}, [&] {
    return without_ops("my_log_softmax(x)", {"log_softmax", "cross_entropy"},
                       [&] { return my_log_softmax(x); });
  });
}

bool any(const Tensor& x, bool (*is)(Scalar)) { return std::any_of(x.begin(), x.end(), is); }

/// Compares, with words of its own where infinities and NaN came out.
void expect_finite(const std::string& what, const Tensor& x, const std::vector<Cause>& causes,
                   const std::string& infinite) {
  const Tensor got = asked(x), expected = log_softmax(x);
  if (got.defined() && got.shape() == expected.shape() && !is_close(got, expected)) {
    const bool nan = any(got, [](Scalar s) { return std::isnan(s); });
    const bool infinity = any(got, [](Scalar s) { return std::isinf(s); });
    if (nan || infinity) {
      std::cout << "got\n" << got << "\nexpected\n" << expected << "\n";
      red(what + ": " + (nan ? "NaN" : "infinity") + "\nlikely cause: " + infinite);
    }
  }
  expect(what, got, expected, causes);
}

}  // namespace

int main() {
  return run_check([] {
    const Tensor small = normal({3, 5}, {.seed = 1}, 0, 2);
    const Tensor top = max(small, {-1}, {.keepdim = true});
    expect("three rows of small numbers", asked(small), log_softmax(small),
           {{small - log(sum(exp(small - top), {-1}, {.keepdim = true})),
             "the maximum is missing from one of the two: take it off x as well"},
            {log_softmax(small, 0), "that is the softmax of each column; each row was asked for"},
            {softmax(small), "that is the softmax; its logarithm was asked for"}});
    const Tensor high = tensor({{1e4, 9999, 9998}, {1e4, 1e4, 1e4}});
    expect_finite(
        "rows of large numbers", high, {},
        "an exponential was infinite: e to the power of 10000 is no float; take each row's "
        "maximum off first");
    expect_finite("rows of far negative numbers", -high, {},
                  "every exponential of a row was 0: take each row's maximum off first");
    expect_finite(
        "a row from 10000 to -10000", tensor({{1e4, 0, -1e4}}), {},
        "the logarithm of a share that was rounded to 0: never form the share, subtract in "
        "logarithms");
    expect_finite("a row of 10000 beside one of -10000", tensor({{1e4, 9999}, {-1e4, -9999}}), {},
                  "one maximum for all rows: beside it, every exponential of the other row is 0");
  });
}

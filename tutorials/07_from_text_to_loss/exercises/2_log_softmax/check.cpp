#include <limits>

#include "autograd/ops/random.h"
#include "autograd/ops/softmax.h"
#include "tutorials/common/own.h"

namespace {

using gradus::Index, gradus::Scalar, gradus::Tensor;

/// The reader's, which must leave x alone.
Tensor asked(const std::string& what, const Tensor& x) {
  const pocket::Tensor mine = own(x);
  const auto f = [&] { return pocket::log_softmax(mine); };
  return gradus::as_library(gradus::unchanged<pocket::Tensor>(what, {mine}, f));
}

void expect(const std::string& what, const Tensor& x, const std::string& infinite) {
  const Tensor got = asked(what, x);
  gradus::must_be_finite(what, got, infinite);
  gradus::expect(what, got, gradus::log_softmax(x), "", 1e-2);  // 1e4 has five digits
}

}  // namespace

CHECK_ANSWER() {
  for (const auto& [rows, n] : {std::pair<Index, Index>{3, 5}, {1, 7}, {4, 1}, {2, 100}}) {
    const std::string what = std::to_string(rows) + " rows of " + std::to_string(n);
    const Tensor x = gradus::normal({rows, n}, {.seed = 1}, 0, 2);
    gradus::expect(what, asked(what, x), gradus::log_softmax(x));
  }
  expect("rows of about 10000", gradus::tensor({{1e4, 9999, 9998}, {1e4, 1e4, 1e4}}),
         "an exponential was infinite: subtract each row's largest number first");
  expect("rows of about -20000", gradus::tensor({{-20000, -20001}, {-20002, -20001}}),
         "every exponential of a row was 0: subtract each row's own largest number first");
  expect("a row from 10000 to -10000", gradus::tensor({{1e4, 0, -1e4}}),
         "the logarithm of a share that was rounded to 0: subtract in logarithms");
  expect("a row of 10000 above one of -10000", gradus::tensor({{1e4, 9999}, {-1e4, -9999}}),
         "one maximum for all rows: beside it, every exponential of the other row is 0");
  const Tensor level = gradus::tensor({{1e8, 1e8, 1e8}, {-1e8, -1e8, -1e8}});
  const Tensor even = asked("equal logits of 1e8 and of -1e8", level);
  gradus::must_be_finite("equal logits of 1e8 and of -1e8", even,
                         "every exponential was 0: a row's largest may be far below 0");
  gradus::expect("equal logits of 1e8 and of -1e8", even, gradus::log_softmax(level));
  const Scalar inf = std::numeric_limits<Scalar>::infinity();
  const Tensor hidden = asked("a row of -inf", gradus::tensor({{-inf, -inf}, {0, -inf}}));
  if (hidden.data()[0] != -inf || hidden.data()[2] != 0 || hidden.data()[3] != -inf) {
    gradus::red(
        "rows [-inf, -inf] and [0, -inf]: expected [-inf, -inf] and [0, -inf], got another\n"
        "likely cause: -inf minus -inf is NaN; keep the largest at -1e30 or above");
  }
  gradus::green("a row of nothing but -inf");
}

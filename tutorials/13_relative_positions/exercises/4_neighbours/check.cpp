#include "tutorials/common/check.h"

#include "tutorials/13_relative_positions/exercises.h"

namespace {

constexpr double kBase = 100;  // not the usual one: the angles must come from the table

/// Channels (2k, 2k + 1), rotated by +- the position's angle, by plain loops.
gradus::Tensor turned(const Tensor& x, int sign) {
  const Index time = x.size(-2), width = x.size(-1), half = width / 2;
  Tensor y(x.shape());
  for (Index i = 0; i < x.size(); i += width) {
    for (Index k = 0; k < half; ++k) {
      const double a = sign * double(i / width % time) * std::pow(kBase, -double(k) / double(half));
      const Index p = i + 2 * k, q = p + 1;
      y.mutable_data()[p] = Scalar(x.data()[p] * std::cos(a) - x.data()[q] * std::sin(a));
      y.mutable_data()[q] = Scalar(x.data()[p] * std::sin(a) + x.data()[q] * std::cos(a));
    }
  }
  return gradus::as_library(y);
}

void check_at(const std::string& what, const Shape& shape, std::uint64_t seed) {
  const Tensor table = rotary_table(shape[-2], shape[-1], kBase);
  Tensor x = normal(shape, {.seed = seed}, 1, 2);
  const std::vector<Scalar> before(x.begin(), x.end());
  x.set_requires_grad();
  const Tensor y = my_rotary(x, table);
  gradus::expect(what, gradus::as_library(y), turned(x, 1));
  if (!std::equal(before.begin(), before.end(), x.begin())) gradus::red(what + ": x has changed");
  const Tensor dy = normal(shape, {.seed = seed + 1});
  if (y.requires_grad()) backward(y, dy);
  gradus::expect_gradient(what + ": the gradient", x, turned(dy, -1));
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_at("[3, 4]", {3, 4}, 1);
    check_at("[2, 2, 5, 6]", {2, 2, 5, 6}, 3);
    check_at("[40, 8]", {40, 8}, 5);
  });
}

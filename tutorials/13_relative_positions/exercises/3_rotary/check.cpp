#include "pocket/position.h"
#include "tutorials/common/compare.h"

namespace {

using namespace pocket;

constexpr double kBase = 100;  // not the usual one: the angles must come from the table

/// Channels k and k + D / 2 rotated by +- the angle of position first + t, by plain loops.
gradus::Tensor turned(const Tensor& x, Index first, int sign) {
  const Index time = x.size(-2), width = x.size(-1), half = width / 2;
  Tensor y(x.shape());
  for (Index i = 0; i < x.size(); i += width) {
    for (Index k = 0; k < half; ++k) {
      const double a =
          sign * double(first + i / width % time) * std::pow(kBase, -double(k) / double(half));
      const double c = std::cos(a), s = std::sin(a);
      const Index p = i + k, q = p + half;
      y.mutable_data()[p] = Scalar(x.data()[p] * c - x.data()[q] * s);
      y.mutable_data()[q] = Scalar(x.data()[p] * s + x.data()[q] * c);
    }
  }
  return gradus::as_library(y);
}

void check_at(const std::string& what, const Shape& shape, Index first, std::uint64_t seed) {
  const Tensor table = rotary_table(250, shape[-1], kBase);
  Tensor x = normal(shape, {.seed = seed}, 1, 2);
  const std::vector<Scalar> before(x.begin(), x.end());
  x.set_requires_grad();
  const Tensor y = rotary(x, table, first);
  gradus::expect(what, gradus::as_library(y), turned(x, first, 1));
  if (!std::equal(before.begin(), before.end(), x.begin())) gradus::red(what + ": x has changed");
  const Tensor dy = normal(shape, {.seed = seed + 1});
  if (y.requires_grad()) backward(y, dy);
  gradus::expect_gradient(what + ": the gradient", x, turned(dy, first, -1));
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_at("[3, 4]", {3, 4}, 0, 1);
    check_at("[2, 2, 5, 6] from position 7 on", {2, 2, 5, 6}, 7, 3);
    check_at("[40, 8] from position 200 on", {40, 8}, 200, 5);
  });
}

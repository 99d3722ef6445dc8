#include "tutorials/common/check.h"

#include "tutorials/13_relative_positions/exercises.h"

namespace {

constexpr double kBase = 100;  // not the usual one: the angles must come from the table

/// Channels (2k, 2k + 1), or (k, k + D / 2), rotated by +- the position's angle, by plain loops.
gradus::Tensor turned(const Tensor& x, int sign, bool neighbours = true, Index first = 0,
                      double base = kBase) {
  const Index time = x.size(-2), width = x.size(-1), half = width / 2;
  Tensor y(x.shape());
  for (Index i = 0; i < x.size(); i += width) {
    for (Index k = 0; k < half; ++k) {
      const double a =
          sign * double(first + i / width % time) * std::pow(base, -double(k) / double(half));
      const Index p = i + (neighbours ? 2 * k : k), q = i + (neighbours ? 2 * k + 1 : k + half);
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
  gradus::expect(
      what, gradus::as_library(y), turned(x, 1),
      {{turned(x, 1, false), "pairs of k and k + D / 2: here channel 2k goes with 2k + 1"},
       {turned(x, -1), "it is rotated backwards"},
       {turned(x, 1, true, 0, 1e4), "the angles are those of `table`, of any base"},
       {turned(x, 1, true, 1), "the first row is position 0"}});
  if (!std::equal(before.begin(), before.end(), x.begin())) gradus::red(what + ": x has changed");
  const Tensor dy = normal(shape, {.seed = seed + 1});
  if (y.requires_grad()) backward(y, dy);
  const Tensor got = x.grad().defined() ? x.grad() : zeros(shape);
  gradus::expect(what + ": the gradient", gradus::as_library(got), turned(dy, -1),
                 {{gradus::as_library(zeros(shape)), "it is cut: a detach(), or numbers copied"},
                  gradus::kResultIsRight});
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_at("[3, 4]", {3, 4}, 1);
    check_at("[2, 2, 5, 6]", {2, 2, 5, 6}, 3);
    check_at("[40, 8]", {40, 8}, 5);
  });
}

#include "pocket/position.h"
#include "tutorials/common/compare.h"

namespace {

using namespace pocket;

constexpr double kBase = 100;  // not the usual one: the angles must come from the table

/// Channels k and k + D / 2 rotated by +- the angle of position first + t, by plain loops.
gradus::Tensor turned(const Tensor& x, Index first, int sign, bool neighbours = false,
                      bool swapped = false, double base = kBase) {
  const Index time = x.size(-2), width = x.size(-1), half = width / 2;
  Tensor y(x.shape());
  for (Index i = 0; i < x.size(); i += width) {
    for (Index k = 0; k < half; ++k) {
      const double a =
          sign * double(first + i / width % time) * std::pow(base, -double(k) / double(half));
      const double c = swapped ? std::sin(a) : std::cos(a), s = swapped ? std::cos(a) : std::sin(a);
      const Index p = i + (neighbours ? 2 * k : k), q = i + (neighbours ? 2 * k + 1 : k + half);
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
  gradus::expect(
      what, gradus::as_library(y), turned(x, first, 1),
      {{turned(x, first, -1), "it is rotated backwards: look at the signs"},
       {turned(x, 0, 1), "`first` is ignored: the rows of the table begin there"},
       {turned(x, first, 1, true), "channel k goes with k + D / 2, not with its neighbour"},
       {turned(x, first, 1, false, true), "cosines are the first half of the table's row"},
       {turned(x, first, 1, false, false, 1e4), "the angles are those of `table`, of any base"},
       {gradus::as_library(x), "nothing was rotated"}});
  if (!std::equal(before.begin(), before.end(), x.begin())) gradus::red(what + ": x has changed");
  const Tensor dy = normal(shape, {.seed = seed + 1});
  if (y.requires_grad()) backward(y, dy);
  const Tensor got = x.grad().defined() ? x.grad() : zeros(shape);
  gradus::expect(what + ": the gradient", gradus::as_library(got), turned(dy, first, -1),
                 {{gradus::as_library(zeros(shape)), "it is cut: a detach(), or numbers copied"},
                  gradus::kResultIsRight});
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_at("[3, 4]", {3, 4}, 0, 1);
    check_at("[2, 2, 5, 6] from position 7 on", {2, 2, 5, 6}, 7, 3);
    check_at("[40, 8] from position 200 on", {40, 8}, 200, 5);
  });
}

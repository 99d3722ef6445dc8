#include "tutorials/26_small_changes/exercises.h"
#include "tutorials/common/guards.h"

using gradus::green, gradus::red;

namespace {

/// The right result, number by number: each looks for the largest of its own group.
Tensor expected_of(const Tensor& x, Index group) {
  Tensor y = zeros(x.shape());
  const Index width = x.size(-1);
  for (Index i = 0; i < x.size(); ++i) {
    const Index row = i / width * width, first = (i - row) / group * group;
    double largest = 0;
    for (Index j = first; j < std::min(first + group, width); ++j) {
      largest = std::max(largest, std::abs(double{x.data()[row + j]}));
    }
    const double scale = largest / 127;
    y.mutable_data()[i] = scale == 0 ? 0 : Scalar(scale * std::lround(x.data()[i] / scale));
  }
  return y;
}

void ask(const std::string& what, const Tensor& x, Index group) {
  const Tensor got =
      gradus::unchanged(what, std::vector<Tensor>{x}, [&] { return restored_in_groups(x, group); });
  const gradus::Tensor expected = gradus::as_library(expected_of(x, group));
  const double most = gradus::scale_of(expected);
  gradus::expect(what, gradus::as_library(got), expected, "", 1e-5 * most);
}

}  // namespace

CHECK_ANSWER() {
  const Tensor small = tensor({{1, Scalar(0.3), -50, 7}, {Scalar(0.2), Scalar(0.9), 3, -2}});
  ask("two rows of four, groups of two", small, 2);
  ask("groups of one", small, 1);
  ask("groups as long as a row", small, 4);
  ask("groups longer than a row", small, 9);
  ask("a last group of one", tensor({{1, Scalar(0.3), -50}, {7, Scalar(-0.2), Scalar(0.6)}}), 2);
  const Tensor zero = tensor({{0, 0, 0, 5, 1, 2}});
  ask("a group of zeros", zero, 3);
  Tensor x = normal({6, 45}, {3});
  x.mutable_data()[2 * 45 + 17] = 300;
  ask("an outlier among 270 numbers", x, 16);
  ask("numbers of about 10000", normal({3, 40}, {4}) * Scalar(1e4), 8);
  ask("small numbers", normal({3, 40}, {5}) * Scalar(1e-3), 8);
}

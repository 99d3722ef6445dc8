#include "autograd/ops/selection.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "autograd/graph.h"
#include "autograd/inspect/gradcheck.h"
#include "autograd/kernels/parallel_for.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

using Flags = std::vector<std::int32_t>;

#define CHECK_FAILS(expression, message)                                          \
  CHECK_THROWS_WITH_AS(static_cast<void>(expression), doctest::Contains(message), \
                       std::invalid_argument)

}  // namespace

TEST_CASE("where: chooses element by element") {
  const Tensor a = tensor({{1, 2}, {3, 4}});
  const Tensor b = tensor({{10, 20}, {30, 40}});
  CHECK(where(indices({{1, 0}, {0, -7}}), a, b).values() == Values{1, 20, 30, 4});
  CHECK(where(indices(1), scalar(2), scalar(3)).values() == Values{2});
  CHECK(where(IndexTensor(Shape{0, 3}), zeros({1, 3}), scalar(1)).shape() == Shape{0, 3});
  CHECK(where(IndexTensor(Shape{3, 1}), zeros({3, 0}), scalar(1)).shape() == Shape{3, 0});
  CHECK(where(indices({1, 0}), tensor({1, kNaN}), tensor({kInf, 2})).values() == Values{1, 2});
}

TEST_CASE("where: broadcasts each of the three") {
  const IndexTensor row = indices({1, 0, 1});
  const IndexTensor column = indices({{1}, {0}});
  const Tensor matrix = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor minus = tensor({{-1}, {-2}});
  CHECK(where(row, matrix, minus).values() == Values{1, -1, 3, 4, -2, 6});
  CHECK(where(row, minus, matrix).values() == Values{-1, 2, -1, -2, 5, -2});
  CHECK(where(column, matrix, scalar(9)).values() == Values{1, 2, 3, 9, 9, 9});
  CHECK(where(column, tensor({7, 8, 9}), scalar(0)).values() == Values{7, 8, 9, 0, 0, 0});
  CHECK(where(column, minus, tensor({{5}, {6}})).values() == Values{-1, 6});
  CHECK(where(indices(1), minus, arange(3)).values() == Values{-1, -1, -1, -2, -2, -2});
  CHECK(where(indices({{{1}}, {{0}}}), matrix, minus).shape() == Shape{2, 2, 3});
  CHECK_FAILS(where(row, matrix, zeros({2, 2})),
              "where: shapes must broadcast, got [2, 3] and [2, 2]");
  CHECK_FAILS(where(indices({1, 0}), matrix, minus),
              "where: shapes must broadcast, got [2] and [2, 3]");
}

TEST_CASE("where: large enough for several threads") {
  const int threads = num_threads();
  set_num_threads(3);
  const Index n = 100003;
  const Tensor x = arange(n);
  const Tensor y = where(less(x, Scalar(50000)), x, -x);
  Index wrong = 0;
  for (Index i = 0; i < n; ++i) wrong += y.data()[i] != x.data()[i] * (i < 50000 ? 1 : -1);
  CHECK(wrong == 0);
  set_num_threads(threads);
}

TEST_CASE("where: gradients go to the chosen side only, summed over repeated axes") {
  Tensor a = tensor({{1, 2, 3}, {4, 5, 6}}).set_requires_grad();
  Tensor b = tensor({7, 8, 9}).set_requires_grad();
  const Tensor weights = tensor({{1, 2, 3}, {4, 5, 6}});
  backward(sum(where(indices({{1, 0, 0}, {1, 1, 0}}), a, b) * weights));
  CHECK(a.grad().values() == Values{1, 0, 0, 4, 5, 0});
  CHECK(b.grad().values() == Values{0, 2, 9});
  CHECK_FALSE(where(indices({1}), a.detach(), b.detach()).requires_grad());
}

TEST_CASE("where: elements that were not chosen get a gradient of exactly 0") {
  Tensor a = tensor({kInf, 2}).set_requires_grad();
  Tensor b = tensor({3, kNaN}).set_requires_grad();
  backward(where(indices({0, 1}), a, b), tensor({kInf, kNaN}));
  CHECK(a.grad().at({0}) == 0);
  CHECK(std::isnan(a.grad().at({1})));
  CHECK(b.grad().at({0}) == kInf);
  CHECK(b.grad().at({1}) == 0);
}

TEST_CASE("masked_fill: fills where the mask holds") {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  CHECK(masked_fill(x, indices({{0, 1, 0}, {2, 0, 0}}), -kInf).values() ==
        Values{1, -kInf, 3, -kInf, 5, 6});
  CHECK(masked_fill(x, indices({0, 0, 1}), 9).values() == Values{1, 2, 9, 4, 5, 9});
  CHECK(masked_fill(x, indices({{1}, {0}}), 9).values() == Values{9, 9, 9, 4, 5, 6});
  CHECK(masked_fill(zeros({0, 3}), indices({0, 0, 1}), 9).shape() == Shape{0, 3});
  CHECK_FAILS(masked_fill(arange(3), indices({{1}, {0}}), 0),
              "masked_fill: the mask must broadcast to x, got x [3] and mask [2, 1]");
  CHECK_FAILS(masked_fill(x, indices({0, 1}), 0),
              "masked_fill: shapes must broadcast, got [2, 3] and [2]");
}

TEST_CASE("masked_fill: the gradient is exactly 0 under -inf and NaN") {
  Tensor x = tensor({kInf, kNaN, 3}).set_requires_grad();
  backward(masked_fill(x, indices({1, 1, 0}), -kInf), tensor({kInf, kNaN, 5}));
  CHECK(x.grad().values() == Values{0, 0, 5});
  CHECK_FALSE(std::signbit(x.grad().at({0})));
}

TEST_CASE("comparisons: 0 or 1, broadcast, and 0 with NaN") {
  const Tensor a = tensor({{1, 2}, {3, 4}});
  const Tensor b = tensor({2, 3});
  CHECK(greater(a, b).values() == Flags{0, 0, 1, 1});
  CHECK(less(a, b).values() == Flags{1, 1, 0, 0});
  CHECK(equal(a, tensor({{2}, {3}})).values() == Flags{0, 1, 1, 0});
  CHECK(greater(a, Scalar(2)).values() == Flags{0, 0, 1, 1});
  CHECK(less(a, Scalar(2)).values() == Flags{1, 0, 0, 0});
  CHECK(equal(a, Scalar(2)).values() == Flags{0, 1, 0, 0});
  CHECK(less(tensor({{1}, {3}}), tensor({2, 4})).values() == Flags{1, 1, 0, 1});
  CHECK(greater(scalar(3), b).values() == Flags{1, 0});
  CHECK(equal(zeros({0, 2}), b).shape() == Shape{0, 2});
  const Tensor nan = scalar(kNaN);
  CHECK(greater(nan, 0).values() == Flags{0});
  CHECK(less(nan, 0).values() == Flags{0});
  CHECK(equal(nan, nan).values() == Flags{0});
  CHECK_FAILS(less(a, arange(3)), "less: shapes must broadcast, got [2, 2] and [3]");
}

TEST_CASE("causal_mask: the visible keys of each position") {
  CHECK(causal_mask(3).values() == Flags{1, 0, 0, 1, 1, 0, 1, 1, 1});
  CHECK(causal_mask(2, 3).values() == Flags{1, 1, 0, 1, 1, 1});
  CHECK(causal_mask(3, 2).values() == Flags{0, 0, 1, 0, 1, 1});  // the first row attends to nothing
  CHECK(causal_mask(1, 5).values() == Flags{1, 1, 1, 1, 1});
  CHECK(causal_mask(0).shape() == Shape{0, 0});
  CHECK(causal_mask(3, 4, 2).values() == Flags{1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1});
  CHECK(causal_mask(2, 3, 9).values() == causal_mask(2, 3).values());
  CHECK_FAILS(causal_mask(2, 3, -1), "causal_mask: the window must not be negative, got -1");
  CHECK_FAILS(causal_mask(-1), "causal_mask: sizes must not be negative, got [-1, -1]");
}

#ifdef GRADUS_DOUBLE

// A cube follows each op, so that second derivatives are not all zero.
TEST_CASE("select: gradients of first and second order") {
  const auto both = [](const TensorFunction& op, const std::vector<Shape>& shapes) {
    const TensorFunction cubed = [op](const std::vector<Tensor>& x) { return pow(op(x), 3); };
    check_gradient(cubed, shapes);
    check_second_gradient(cubed, shapes);
  };
  using Tensors = std::vector<Tensor>;
  const IndexTensor row = indices({1, 0, 0, 1, 0});
  const IndexTensor column = indices({{1}, {0}, {1}});
  both([=](const Tensors& x) { return where(row, x[0], x[1]); }, {{3, 5}, {3, 5}});
  both([=](const Tensors& x) { return where(column, x[0], x[1]); }, {{2, 3, 5}, {5}});
  both([=](const Tensors& x) { return where(column, x[0], x[1]); }, {{1, 5}, {3, 1}});
  both([=](const Tensors& x) { return where(row, x[0], x[0] * x[0]); }, {{3, 5}});
  both([=](const Tensors& x) { return masked_fill(x[0], row, 7); }, {{3, 5}});
  both([=](const Tensors& x) { return masked_fill(x[0], column, 7); }, {{2, 3, 5}});
}

#endif

// Tests x[i], x[{...}], squeeze, unsqueeze and flatten.

#include <string>
#include <type_traits>

#include "autograd/inspect/gradcheck.h"
#include "autograd/kernels/allocator.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/views.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

Tensor numbered(const Shape& shape) { return reshape(arange(shape.size()), shape); }

// An assignment to the result of x[0] would change nothing.
static_assert(!std::is_assignable_v<decltype(std::declval<Tensor&>()[0]), Tensor>);

}  // namespace

TEST_CASE("x[i]: by hand") {
  const Tensor x = numbered({2, 3});
  CHECK(x[0].shape() == Shape{3});
  CHECK(x[0].values() == Values{0, 1, 2});
  CHECK(x[-1].values() == Values{3, 4, 5});
  CHECK(x[1][2].shape() == Shape());
  CHECK(x[1][2].item() == 5);
  CHECK(x[0].data() != x.data());  // a copy of the elements
  CHECK_FAILS(x[2], "index: position 2 is outside axis 0 of [2, 3]");
  CHECK_FAILS(x[-3], "index: position -3 is outside axis 0 of [2, 3]");
  CHECK_FAILS(scalar(1)[0], "index: at most one position or range for each axis of [], got 1");
}

TEST_CASE("x[{...}]: positions, ranges and whole axes") {
  const Tensor x = numbered({2, 3, 5});
  CHECK(x[{1, {0, 2}}].shape() == Shape{2, 5});
  CHECK(x[{1, {0, 2}}].values() == (numbered({2, 5}) + 15).values());
  CHECK(x[{1, 2}].values() == Values{25, 26, 27, 28, 29});
  CHECK(x[{0, 1, -1}].item() == 9);
  CHECK(x[{{}, {}, 0}].values() == Values{0, 5, 10, 15, 20, 25});
  CHECK(x[{{}, 1, {3, kToEnd}}].values() == Values{8, 9, 23, 24});
  CHECK(x[{{0, 1}}].shape() == Shape{1, 3, 5});
  CHECK(x[{{-1, kToEnd}, {-2, -1}, {1, 2}}].values() == Values{21});
  CHECK(x[{{1, 1}, 0}].shape() == Shape{0, 5});
  CHECK(x[{}].values() == x.values());
  const Index i = 1, begin = 2, end = 4;
  CHECK(x[{i, {}, {begin, end}}].shape() == Shape{3, 2});
  CHECK_FAILS((x[{0, 3}]), "index: position 3 is outside axis 1 of [2, 3, 5]");
  CHECK_FAILS((x[{0, 0, {2, 6}}]), "index: [2, 6) is not within axis 2 of [2, 3, 5]");
  CHECK_FAILS((x[{0, {2, 1}}]), "index: [2, 1) is not within axis 1 of [2, 3, 5]");
  CHECK_FAILS((x[{0, 0, 0, 0}]),
              "index: at most one position or range for each axis of [2, 3, 5], got 4");
}

TEST_CASE("x[{...}]: gradients go back to their places") {
  Tensor x = zeros({2, 3}).set_requires_grad();
  backward(x[1], tensor({5, 6, 7}));
  backward(x[{{}, {0, 2}}], tensor({{1, 2}, {3, 4}}));
  CHECK(x.grad().values() == Values{1, 2, 0, 8, 10, 7});
  CHECK(std::string(x[0].node()->op) == "index");
}

TEST_CASE("x[i]: the rows of a long tensor cost no gradient as large as it each") {
  const Tensor x = zeros({300, 300}).set_requires_grad();
  const Tensor h = x * 1;
  Tensor total = scalar(0);
  for (Index i = 0; i < 300; ++i) total += sum(h[i]);
  reset_peak_memory();
  const std::ptrdiff_t before = allocator_stats().bytes_in_use;
  backward(total);
  const auto matrix = static_cast<std::ptrdiff_t>(300 * 300 * sizeof(Scalar));
  CHECK(allocator_stats().peak_bytes_in_use - before < 4 * matrix);
  CHECK(x.grad().values() == ones({300, 300}).values());
}

TEST_CASE("squeeze and unsqueeze: axes of size 1 go and come, without a copy") {
  const Tensor x = numbered({2, 1, 3});
  CHECK(squeeze(x, 1).shape() == Shape{2, 3});
  CHECK(squeeze(x, -2).data() == x.data());
  CHECK(squeeze(ones({1}), 0).shape() == Shape());
  CHECK(unsqueeze(x, 0).shape() == Shape{1, 2, 1, 3});
  CHECK(unsqueeze(x, 3).shape() == Shape{2, 1, 3, 1});
  CHECK(unsqueeze(x, -1).shape() == Shape{2, 1, 3, 1});
  CHECK(unsqueeze(x, -4).shape() == Shape{1, 2, 1, 3});
  CHECK(unsqueeze(scalar(7), 0).shape() == Shape{1});
  CHECK(unsqueeze(x, 0).data() == x.data());
  CHECK_FAILS(squeeze(x, 0), "squeeze: axis 0 of [2, 1, 3] must have size 1");
  CHECK_FAILS(squeeze(x, 3), "squeeze: axis 3 is not an axis of [2, 1, 3]");
  CHECK_FAILS(unsqueeze(x, 4), "unsqueeze: axis 4 is not an axis of [2, 1, 3, 1]");
  CHECK_FAILS(unsqueeze(zeros({1, 1, 1, 1, 1, 1, 1, 1}), 0), "unsqueeze: at most 8 axes");
}

TEST_CASE("flatten: makes axes one, without a copy") {
  const Tensor x = numbered({2, 3, 5, 7});
  CHECK(flatten(x).shape() == Shape{210});
  CHECK(flatten(x).data() == x.data());
  CHECK(flatten(x, 1).shape() == Shape{2, 105});
  CHECK(flatten(x, 0, -2).shape() == Shape{30, 7});
  CHECK(flatten(x, 1, 2).shape() == Shape{2, 15, 7});
  CHECK(flatten(x, 2, 2).shape() == x.shape());
  CHECK(flatten(zeros({2, 0, 3}), 1).shape() == Shape{2, 0});
  CHECK(flatten(scalar(7)).shape() == Shape{1});
  CHECK_FAILS(flatten(x, 2, 1),
              "flatten: first must not be after last, got axes 2 and 1 of [2, 3, 5, 7]");
  CHECK_FAILS(flatten(x, 4), "flatten: axis 4 is not an axis of [2, 3, 5, 7]");
}

TEST_CASE("reshaping ops: graphs call each by its own name") {
  const Tensor x = ones({2, 1, 3}).set_requires_grad();
  const auto name = [](const Tensor& y) { return std::string(y.node()->op); };
  CHECK(name(reshape(x, {6})) == "reshape");
  CHECK(name(squeeze(x, 1)) == "squeeze");
  CHECK(name(unsqueeze(x, 1)) == "unsqueeze");
  CHECK(name(flatten(x)) == "flatten");
}

#ifdef GRADUS_DOUBLE

TEST_CASE("x[{...}] and its kin: gradients of first and second order") {
  const auto both = [](const TensorFunction& f) {
    check_gradient(f, {{3, 1, 5}});
    check_second_gradient(f, {{3, 1, 5}});
  };
  both([](const Tensors& x) { return tanh(x[0][1]) * x[0][-1]; });
  both([](const Tensors& x) { return tanh(x[0][{{1, 3}, 0, {0, 2}}]) * x[0][{2, 0, 1}]; });
  both([](const Tensors& x) { return tanh(squeeze(x[0], 1)) * x[0][{{}, 0}]; });
  both([](const Tensors& x) { return tanh(unsqueeze(x[0], 1)) * x[0]; });
  both([](const Tensors& x) { return tanh(flatten(x[0], 1)) * flatten(x[0], 0, 1); });
}

#endif

#include "autograd/tensor.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "autograd/check.h"
#include "autograd/index_tensor.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;
using namespace gradus::detail;
using Values = std::vector<Scalar>;

TEST_CASE("tensor: literals") {
  const Tensor matrix = tensor({{1, 2, 3}, {4, 5, 6}});
  CHECK(matrix.shape() == Shape{2, 3});
  CHECK(matrix.values() == Values{1, 2, 3, 4, 5, 6});
  CHECK(tensor(3).shape() == Shape{});
  CHECK(tensor(3).item() == 3);
  CHECK(tensor({3}).shape() == Shape{1});
  CHECK(tensor({1, 2}).shape() == Shape{2});
  CHECK(tensor({{1}, {2}}).shape() == Shape{2, 1});
  CHECK(tensor({{{1, 2}}, {{3, 4}}, {{5, 6}}}).shape() == Shape{3, 1, 2});
  CHECK(tensor(Shape{2, 2}, {1, 2, 3, 4}).values() == Values{1, 2, 3, 4});
  CHECK_THROWS_WITH_AS(tensor({{1, 2}, {3}}), "tensor: rows must have one shape, got [2] and [1]",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(tensor({{1}, 2}), doctest::Contains("got [1] and []"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(tensor(Shape{2, 2}, {1, 2, 3}), "tensor: shape [2, 2] needs 4 values, got 3",
                       std::invalid_argument);
}

TEST_CASE("tensor: index literals") {
  const IndexTensor ids = indices({{1, 2, 3}, {4, 5, 6}});
  CHECK(ids.shape() == Shape{2, 3});
  CHECK(ids.values() == std::vector<std::int32_t>{1, 2, 3, 4, 5, 6});
  CHECK(indices(3).shape() == Shape{});
  CHECK(IndexTensor(Shape{2, 2}).values() == std::vector<std::int32_t>{0, 0, 0, 0});
  CHECK(ids.reshape({3, 2}).data() == ids.data());
  CHECK(ids.reshape({3, 2}).size(0) == 3);
  CHECK_THROWS_WITH_AS(ids.reshape({4}), "reshape: sizes must be equal, got [2, 3] and [4]",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(indices({{1, 2}, {3}}), doctest::Contains("rows must have one shape"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(ids.size(3), "size: axis 3 is not an axis of [2, 3]", std::invalid_argument);
  CHECK_THROWS_AS(IndexTensor(Shape{2}, std::vector<std::int32_t>{1}), std::invalid_argument);
  CHECK_THROWS_WITH_AS(IndexTensor(Shape{Index{1} << 50}, std::vector<std::int32_t>{1}),
                       doctest::Contains("indices: shape [1125899906842624] needs"),
                       std::invalid_argument);  // and not std::bad_alloc
  CHECK(!IndexTensor().defined());
}

TEST_CASE("tensor: indices of a vector of any integers") {
  const auto same = [](const IndexTensor& x) {
    return x.shape() == Shape{3} && x.values() == std::vector<std::int32_t>{1, 0, 1};
  };
  CHECK(same(indices(std::vector<Index>{1, 0, 1})));
  CHECK(same(indices(std::vector<int>{1, 0, 1})));
  CHECK(same(indices(std::vector<std::uint8_t>{1, 0, 1})));
  CHECK(same(indices(std::vector<std::size_t>{1, 0, 1})));
  CHECK(same(indices(std::vector<bool>{true, false, true})));
  CHECK(indices(std::vector<Index>{-100, INT32_MIN, INT32_MAX}).values() ==
        std::vector<std::int32_t>{-100, INT32_MIN, INT32_MAX});
  CHECK(indices(std::vector<int>()).shape() == Shape{0});
  CHECK_FAILS(indices(std::vector<Index>{1, Index{1} << 31}),
              "indices: numbers must fit into int32, got 2147483648 at 1");
  CHECK_FAILS(indices(std::vector<Index>{INT32_MIN - Index{1}}), "got -2147483649 at 0");
  CHECK_FAILS(indices(std::vector<std::size_t>{~std::size_t{0}}), "got 18446744073709551615 at 0");
}

TEST_CASE("tensor: makers") {
  CHECK(zeros({2, 2}).values() == Values{0, 0, 0, 0});
  CHECK(ones({3}).values() == Values{1, 1, 1});
  CHECK(full({2}, 7).values() == Values{7, 7});
  CHECK(arange(4).values() == Values{0, 1, 2, 3});
  CHECK(arange(0).size() == 0);
  CHECK_THROWS_WITH_AS(arange(-1), doctest::Contains("arange: needs a count in [0, "),
                       std::invalid_argument);
  if constexpr (sizeof(Scalar) == sizeof(float)) {  // from here on floats are 2 apart
    CHECK(arange(16777217).values().back() == 16777216);
    CHECK_THROWS_WITH_AS(arange(16777218), doctest::Contains("got 16777218"),
                         std::invalid_argument);
  }
  CHECK(scalar(5).shape() == Shape{});
  CHECK(zeros({2, 0}).values().empty());
}

TEST_CASE("tensor: shapes") {
  const Shape shape{2, 3, 5};
  CHECK(shape.size() == 30);
  CHECK(Shape{}.size() == 1);
  CHECK(Shape{2, 0, 3}.size() == 0);
  CHECK(shape[-1] == 5);
  CHECK(shape[0] == 2);
  CHECK(text(shape) == "[2, 3, 5]");
  CHECK(text(Shape{}) == "[]");
  CHECK(shape.with(1, 7) == Shape{2, 7, 5});
  CHECK(shape.without(-1) == Shape{2, 3});
  CHECK(shape.append(7) == Shape{2, 3, 5, 7});
  CHECK(shape.product(1, 3) == 15);
  CHECK(shape != Shape{2, 3});
  CHECK(Shape{} != Shape{1});
  CHECK_THROWS_AS(shape[3], std::invalid_argument);
  CHECK_THROWS_AS(shape[-4], std::invalid_argument);
  CHECK_THROWS_WITH_AS((Shape{2, -3}), doctest::Contains("must not be negative, got [2, -3]"),
                       std::invalid_argument);
  CHECK_THROWS_AS((Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}), std::invalid_argument);
  const Index huge = std::numeric_limits<Index>::max();
  CHECK(Shape{huge}.size() == huge);
  CHECK_THROWS_AS((Shape{huge, 2}), std::invalid_argument);
  CHECK_THROWS_AS((Shape{0, huge, 2}), std::invalid_argument);
  CHECK_THROWS_AS((Shape{1, 1, 1, 1, 1, 1, 1, 1}.append(1)), std::invalid_argument);
}

TEST_CASE("tensor: shapes that broadcast, and that do not") {
  CHECK(broadcast_shapes("f", {2, 3}, {3}) == Shape{2, 3});
  CHECK(broadcast_shapes("f", {2, 1, 5}, {3, 1}) == Shape{2, 3, 5});
  CHECK(broadcast_shapes("f", {}, {2}) == Shape{2});
  CHECK(broadcast_shapes("f", {1}, {0}) == Shape{0});
  CHECK_THROWS_WITH_AS(broadcast_shapes("f", {2, 3}, {2}), doctest::Contains("f: "),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(tensor({1, 2}) + tensor({1, 2, 3}), doctest::Contains("[2] and"),
                       std::invalid_argument);
  CHECK_THROWS_AS(broadcast_shapes("f", {0}, {2}), std::invalid_argument);
}

TEST_CASE("tensor: more elements than there can be memory") {
  const Index huge = std::numeric_limits<Index>::max();
  CHECK_THROWS_AS(Tensor(Shape{huge}), std::bad_alloc);
}

TEST_CASE("tensor: item and at") {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  CHECK(x.at({1, 0}) == 4);
  CHECK(scalar(2).at({}) == 2);
  CHECK(ones({1, 1}).item() == 1);
  CHECK_THROWS_WITH_AS(x.item(), "item: needs exactly one element, got [2, 3]",
                       std::invalid_argument);
  CHECK_THROWS_AS(zeros({0}).item(), std::invalid_argument);
  CHECK_THROWS_WITH_AS(x.at({1}), "at: needs one index for each axis of [2, 3], got 1",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(x.at({1, 3}), "at: index 3 is outside axis 1 of [2, 3]",
                       std::invalid_argument);
  CHECK_THROWS_AS(x.at({-1, 0}), std::invalid_argument);
}

TEST_CASE("tensor: who shares elements with whom") {
  const Tensor x = tensor({1, 2, 3, 4});
  const Tensor copy = x;
  const Tensor view = reshape(x, {2, 2}), detached = x.detach(), clone = x.clone();
  x.mutable_data()[0] = 9;
  CHECK(copy.at({0}) == 9);
  CHECK(view.at({0, 0}) == 9);
  CHECK(detached.at({0}) == 9);
  CHECK(clone.at({0}) == 1);
  CHECK(!x.sole_owner());
  CHECK(clone.sole_owner());
  const Tensor part(x, {2}, 1);
  CHECK(part.values() == Values{2, 3});
  CHECK(Tensor(part, {1, 1}, 1).item() == 3);
  CHECK(Tensor(x, {0}, 4).size() == 0);
  for (const auto& [shape, offset] : {std::pair(Shape{3}, 2), {Shape{1}, -1}, {Shape{2, 3}, 0}}) {
    CHECK_THROWS_WITH_AS(Tensor(x, shape, offset), doctest::Contains("tensor: shape ["),
                         std::invalid_argument);
  }
  CHECK(!Tensor().defined());
  Tensor y = std::move(const_cast<Tensor&>(clone));
  CHECK(y.at({0}) == 1);
  y = Tensor(y);
  CHECK(y.values() == Values{1, 2, 3, 4});
}

TEST_CASE("tensor: leaves and their gradients") {
  Tensor x = ones({2});
  CHECK(!x.requires_grad());
  CHECK_THROWS_WITH_AS(x.grad(),
                       doctest::Contains("collects no gradient (call set_requires_grad()"),
                       std::invalid_argument);
  CHECK_THROWS_AS(x.set_grad(ones({2})), std::invalid_argument);
  x.set_requires_grad();
  const Tensor same = x;
  CHECK(!x.grad().defined());
  x.set_grad(full({2}, 5));
  CHECK(same.grad().values() == Values{5, 5});
  x.set_requires_grad();  // again: the gradient stays
  CHECK(x.grad().defined());
  CHECK_THROWS_WITH_AS(x.set_grad(ones({3})),
                       "set_grad: shapes must be equal, got tensor [2] and "
                       "gradient [3]",
                       std::invalid_argument);
  x.set_grad(x * x);  // its graph leads to x: keeping it would make a cycle
  CHECK(!x.grad().requires_grad());
  x.zero_grad();
  CHECK(!x.grad().defined());
  Tensor y = x * 2;
  CHECK(y.requires_grad());
  CHECK_THROWS_WITH_AS(y.grad(), doctest::Contains("was made by an op and keeps no gradient"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(y.set_requires_grad(),
                       doctest::Contains("was made by mul and is not a leaf"),
                       std::invalid_argument);
  CHECK(!x.detach().requires_grad());
  CHECK(!x.clone().requires_grad());
  x.set_requires_grad(false);
  CHECK(!same.requires_grad());
}

#include "autograd/inspect/gradcheck.h"
#include "autograd/inspect/profile.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/views.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

Tensor counted(const Shape& shape) { return reshape(arange(shape.size()), shape); }

/// Whether axis i of y equals axis axes[i] of x in all elements.
bool is_permuted(const Tensor& x, const Tensor& y, const std::vector<int>& axes) {
  const int rank = x.rank();
  for (Index flat = 0; flat < y.size(); ++flat) {
    Index at_x = 0;
    Index rest = flat;
    for (int axis = rank; axis-- > 0; rest /= y.size(axis)) {
      at_x += rest % y.size(axis) * x.shape().product(axes[axis] + 1, rank);
    }
    if (y.data()[flat] != x.data()[at_x]) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("reshape: keeps the elements and shares them") {
  const Tensor x = counted({2, 3});
  const Tensor y = reshape(x, {3, -1});
  CHECK(y.shape() == Shape{3, 2});
  CHECK(y.data() == x.data());
  CHECK(reshape(x, {-1}).shape() == Shape{6});
  CHECK(reshape(scalar(5), {1, 1}).values() == Values{5});
  CHECK(reshape(zeros({0, 3}), {5, 0}).shape() == Shape{5, 0});
  CHECK_FAILS(reshape(x, {4, 2}),
              "reshape: the number of elements must not change, got [2, 3] to [4, 2]: 6 is not 8");
  CHECK_FAILS(
      reshape(x, {4, -1}),
      "reshape: the product of the given sizes must divide the 6 elements of [2, 3], got 4");
  CHECK_FAILS(reshape(x, {-3}), "reshape: sizes must not be negative, got [-3]");
  CHECK_FAILS(reshape(x, {-1, -3}), "reshape: sizes must not be negative, got [1, -3]");
  CHECK_FAILS(detail::reshape_for("mine", arange(6), {4}),
              "mine: the number of elements must not change, got [6] to [4]: 6 is not 4");
}

TEST_CASE("transpose: exchanges two axes") {
  CHECK(transpose(tensor({{1, 2, 3}, {4, 5, 6}})).values() == Values{1, 4, 2, 5, 3, 6});
  const Tensor x = tensor({{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}});
  const Tensor y = transpose(x, 0, -1);
  CHECK(y.shape() == Shape{2, 3, 2});
  CHECK(y.values() == Values{1, 7, 3, 9, 5, 11, 2, 8, 4, 10, 6, 12});
  CHECK(transpose(x, 1, 1).values() == x.values());
  CHECK_FAILS(transpose(arange(3)), "transpose: axis -2 is not an axis of [3]");
  CHECK_FAILS(transpose(x, 0, 3), "transpose: axis 3 is not an axis of [2, 3, 2]");
}

TEST_CASE("permute: by hand") {
  const Tensor y = permute(tensor({{{1, 2, 3}}, {{4, 5, 6}}}), {2, 0, 1});
  CHECK(y.shape() == Shape{3, 2, 1});
  CHECK(y.values() == Values{1, 4, 2, 5, 3, 6});
  CHECK(permute(scalar(5), {}).values() == Values{5});
  CHECK(permute(zeros({0, 3, 2}), {-1, 0, 1}).shape() == Shape{2, 0, 3});
  CHECK(permute(counted({1, 5, 1}), {1, 2, 0}).values() == Values{0, 1, 2, 3, 4});
}

TEST_CASE("permute: every order of axes, small and in tiles, on one thread and on several") {
  const int threads = num_threads();
  for (const int count : {1, 3}) {
    set_num_threads(count);
    for (const Shape& shape : {Shape{2, 3, 5, 7}, Shape{3, 17, 2, 37}, Shape{17, 1, 33, 48}}) {
      const Tensor x = counted(shape);
      std::vector<int> axes{0, 1, 2, 3};
      do {
        INFO("axes ", axes[0], axes[1], axes[2], axes[3]);
        CHECK(is_permuted(x, permute(x, axes), axes));
      } while (std::next_permutation(axes.begin(), axes.end()));
    }
  }
  set_num_threads(threads);
}

TEST_CASE("permute: refuses numbers that are no order of the axes") {
  const Tensor x = zeros({2, 3, 5});
  CHECK_FAILS(permute(x, {0, 1}),
              "permute: needs every axis of [2, 3, 5] once, got 2 axes instead of 3");
  CHECK_FAILS(permute(x, {0, 1, -2}), "permute: needs every axis of [2, 3, 5] once, got -2 twice");
  CHECK_FAILS(permute(x, {0, 1, 3}), "permute: axis 3 is not an axis of [2, 3, 5]");
}

TEST_CASE("concat: one after the other along an axis") {
  const Tensor a = tensor({{1, 2}, {3, 4}});
  const Tensor b = tensor({{5}, {6}});
  CHECK(concat({a, b, a}, -1).values() == Values{1, 2, 5, 1, 2, 3, 4, 6, 3, 4});
  const Tensor rows = concat({a, tensor({{7, 8}})}, 0);
  CHECK(rows.shape() == Shape{3, 2});
  CHECK(rows.values() == Values{1, 2, 3, 4, 7, 8});
  CHECK(concat({zeros({2, 0}), b}, 1).values() == Values{5, 6});
  CHECK(concat({zeros({0, 3}), zeros({0, 2})}, 1).shape() == Shape{0, 5});
  const Tensor one = concat({a}, 0);
  CHECK(one.values() == a.values());
  CHECK(one.data() != a.data());
  CHECK_FAILS(concat({}, 0), "concat: needs at least one tensor");
  CHECK_FAILS(concat({a, b}, 0),
              "concat: sizes must be equal except along axis 0, got [2, 2] and [2, 1]");
  CHECK_FAILS(concat({a, arange(2)}, 0), "got [2, 2] and [2]");
  CHECK_FAILS(concat({scalar(1), scalar(2)}, 0), "concat: axis 0 is not an axis of []");
}

TEST_CASE("concat: large enough for several threads") {
  const Tensor x = counted({2, 20011});
  const Tensor y = concat({x, x}, 0);
  CHECK(slice(y, 0, 0, 2).values() == x.values());
  CHECK(slice(y, 0, 2).values() == x.values());
  const Tensor z = concat({x, x}, 1);
  CHECK(slice(z, 1, 20011).values() == x.values());
}

TEST_CASE("concat: gives gradients only to inputs that require one") {
  std::vector<Tensor> parts;
  for (int i = 0; i < 7; ++i) {
    parts.push_back(full({1, 2}, static_cast<Scalar>(i)).set_requires_grad(i != 3));
  }
  const Tensor y = concat(parts, 0);
  backward(sum(y * y));
  for (int i = 0; i < 7; ++i) {
    if (i != 3) CHECK(parts[i].grad().values() == Values{Scalar(2 * i), Scalar(2 * i)});
  }
  CHECK_FALSE(concat({parts[3], parts[3]}, 0).requires_grad());
  parts[0].zero_grad();
  backward(sum(concat({parts[0], parts[0]}, 0) * tensor({{1, 2}, {3, 4}})));  // used twice
  CHECK(parts[0].grad().values() == Values{4, 6});
  const Tensor longest(Shape{0, Index{1} << 62});
  CHECK_FAILS(concat({longest, longest}, 1), "concat: sizes must add up to less than 2^63");
}

TEST_CASE("stack: side by side along a new axis") {
  const Tensor a = tensor({1, 2, 3});
  const Tensor b = tensor({4, 5, 6});
  CHECK(stack({a, b}, 0).values() == Values{1, 2, 3, 4, 5, 6});
  const Tensor y = stack({a, b}, -1);
  CHECK(y.shape() == Shape{3, 2});
  CHECK(y.values() == Values{1, 4, 2, 5, 3, 6});
  CHECK(stack({scalar(1), scalar(2)}, 0).shape() == Shape{2});
  const Tensor full = zeros({1, 1, 1, 1, 1, 1, 1, 1});
  CHECK_FAILS(stack({full}, 0), "stack: at most 8 axes, cannot append one to [1, 1");
  CHECK_FAILS(stack({}, 0), "stack: needs at least one tensor");
  CHECK_FAILS(stack({a, arange(2)}, 0), "stack: shapes must be equal, got [3] and [2]");
  CHECK_FAILS(stack({a, b}, 2), "stack: axis 2 is not an axis of");
}

TEST_CASE("slice: from, to, and from the end") {
  const Tensor x = counted({2, 5});
  CHECK(slice(x, 1, 1, 3).values() == Values{1, 2, 6, 7});
  CHECK(slice(x, -1, -2).values() == Values{3, 4, 8, 9});
  CHECK(slice(x, 1, 1, -2).values() == Values{1, 2, 6, 7});
  CHECK(slice(x, 0, 1).values() == Values{5, 6, 7, 8, 9});
  CHECK(slice(x, 1, 5).shape() == Shape{2, 0});
  CHECK(slice(x, 0, 0, 2).data() != x.data());
  CHECK_FAILS(slice(x, 1, 0, 6), "slice: [0, 6) is not within axis 1 of [2, 5]");
  CHECK_FAILS(slice(x, 1, -6, 2), "slice: [-6, 2) is not within axis 1 of [2, 5]");
  CHECK_FAILS(slice(x, 1, 3, 2), "slice: [3, 2) is not within axis 1 of [2, 5]");
  CHECK_FAILS(slice(x, 1, 6), "slice: [6, end) is not within axis 1 of [2, 5]");
  CHECK_FAILS(slice(x, 2, 0, 1), "slice: axis 2 is not an axis of [2, 5]");
}

TEST_CASE("split: into equal parts, or parts of given sizes") {
  const Tensor x = counted({2, 6});
  const std::vector<Tensor> thirds = split(x, 3, -1);
  REQUIRE(thirds.size() == 3);
  CHECK(thirds[1].values() == Values{2, 3, 8, 9});
  const std::vector<Tensor> parts = split_sizes(x, {1, 0, 5}, 1);
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].values() == Values{0, 6});
  CHECK(parts[1].shape() == Shape{2, 0});
  CHECK(parts[2].values() == Values{1, 2, 3, 4, 5, 7, 8, 9, 10, 11});
  CHECK(split_sizes(x, {6}, 1).size() == 1);
  CHECK(concat(split_sizes(x, std::vector<Index>{2, 4}, 1), 1).values() == x.values());
  CHECK_FAILS(split(x, 4, 1), "split: axis 1 of [2, 6] does not divide into 4 equal parts");
  CHECK_FAILS(split(x, 0, 1), "does not divide into 0 equal parts");
  CHECK_FAILS(split_sizes(x, {2, 3}, 1),
              "split_sizes: sizes must add up to axis 1 of [2, 6]: 5 is not 6");
  CHECK_FAILS(split_sizes(x, {7, -1}, 1),
              "split_sizes: sizes must be between 0 and axis 1 of [2, 6], got 7");
  CHECK_FAILS(split_sizes(x, {7 - 8, 7}, 1), "of [2, 6], got -1");
}

TEST_CASE("pad: before and after") {
  CHECK(pad(tensor({{1, 2}, {3, 4}}), 1, 1, 2).values() == Values{0, 1, 2, 0, 0, 0, 3, 4, 0, 0});
  CHECK(pad(tensor({{1, 2}}), 0, 1, 0, 9).values() == Values{9, 9, 1, 2});
  CHECK(pad(zeros({0}), -1, 1, 1, 5).values() == Values{5, 5});
  CHECK(pad(arange(2), 0, 0, 0).values() == Values{0, 1});
  CHECK_FAILS(pad(arange(2), 0, -1, 1),
              "pad: counts must not be negative or beyond 2^63, got -1 before and 1 after");
  CHECK_FAILS(pad(arange(2), 1, 1, 1), "pad: axis 1 is not an axis of [2]");
}

TEST_CASE("permute: first and second gradients computed by hand") {
  // y = sum(w permute(x)^3), so dx = 3 x^2 and, for ones, ddx = 6 x, both times w in x's order.
  Tensor x = tensor({{1, 2, 3}, {4, 5, 6}}).set_requires_grad();
  const Tensor w = tensor({{1, 2}, {3, 4}, {5, 6}});
  const Tensor dx = grad({sum(w * pow(permute(x, {1, 0}), 3))}, {x}, {.create_graph = true})[0];
  CHECK(dx.values() == Values{3, 36, 135, 96, 300, 648});
  CHECK(grad({sum(dx)}, {x})[0].values() == Values{6, 36, 90, 48, 120, 216});
}

TEST_CASE("slice: slices that overlap, and other uses, add up in one gradient") {
  const Tensor x = drawn({2, 5, 3}, 1).set_requires_grad();
  const Tensor w = drawn({2, 2, 3}, 2);
  const auto loss = [&](const Tensor& y) {
    const Tensor v = x * 1, z = y + v;  // passes one gradient to two inputs
    return sum(slice(y, 2, 1, 2)) + sum(slice(v, 2, 0, 1)) + sum(slice(z, 1, 0, 2) * w) +
           sum(slice(z, 1, 1, 3) * w) + sum(z * z) + sum(slice(z, 0, 1));
  };
  Tensor expected = full({2, 5, 3}, 0);
  const Tensor z = x.detach() * 3;
  for (Index i = 0; i < 30; ++i) {
    const Index row = i / 15, t = i / 3 % 5, c = i % 3;
    Scalar dz = 2 * z.data()[i] + static_cast<Scalar>(row == 1);
    if (t < 2) dz += w.at({row, t, c});
    if (t == 1 || t == 2) dz += w.at({row, t - 1, c});
    expected.mutable_data()[i] =
        3 * dz + 2 * static_cast<Scalar>(c == 1) + static_cast<Scalar>(c == 0);
  }
  const Tensor y = x * 2;
  const Tensor once = loss(y);
  backward(once, Tensor(), true);
  CHECK_CLOSE(x.grad(), expected);
  backward(once);  // the pass before leaves nothing behind
  CHECK_CLOSE(x.grad(), expected * 2);
  CHECK_CLOSE(grad({loss(x * 2)}, {x}, {.create_graph = true})[0], expected);
}

TEST_CASE("slice: each of many slices of one tensor, also of a leaf, touches only its part") {
  // Each slice once wrote a gradient of the whole leaf's size, so that twice the slices took four
  // times as long.
  const auto bytes_of_pass = [](Index count, bool is_leaf, bool by_split) {
    Tensor w = drawn({count, 8}, 1).set_requires_grad();
    const Tensor x = is_leaf ? w : w * 1;
    Profile profile;
    {
      const ProfileScope scope(profile);
      Tensor total = zeros({1, 8});
      const Tensors parts = by_split ? split(x, count, 0) : Tensors();
      for (Index i = 0; i < count; ++i) {
        total = total + (by_split ? parts[i] : slice(x, 0, i, i + 1));
      }
      backward(total, ones({1, 8}));
    }
    CHECK(w.grad().values() == ones({count, 8}).values());
    std::uint64_t bytes = 0;
    for (const auto& [key, entry] : profile.entries()) {
      bytes += key.first == ProfilePart::kBackward ? entry.bytes : 0;
    }
    return bytes;
  };
  for (const bool is_leaf : {false, true}) {
    for (const bool by_split : {false, true}) {
      CAPTURE(is_leaf);
      CAPTURE(by_split);
      const std::uint64_t once = bytes_of_pass(100, is_leaf, by_split);
      CHECK(bytes_of_pass(200, is_leaf, by_split) < once * 5 / 2);
    }
  }
}

TEST_CASE("slice: a gradient that somebody holds is not written to") {
  Tensor x = zeros({4}).set_requires_grad();
  backward(sum(slice(x, 0, 0, 2)));
  const Tensor held = x.grad();
  backward(sum(slice(x, 0, 1, 3)));
  CHECK(held.values() == Values{1, 1, 0, 0});
  CHECK(x.grad().values() == Values{1, 2, 1, 0});
  const Tensor before = x.grad().clone();
  const Tensor y = sum(slice(x, 0, 0, 1)) + sum(slice(x, 0, 0, 3));
  CHECK(grad({y}, {x})[0].values() == Values{2, 1, 1, 0});  // adds to no leaf
  CHECK(x.grad().values() == before.values());
}

#ifdef GRADUS_DOUBLE

// A cube follows each op, so that second derivatives are not all zero.
TEST_CASE("shape ops: gradients of first and second order") {
  const auto both = [](const TensorFunction& op, const std::vector<Shape>& shapes) {
    const TensorFunction cubed = [op](const std::vector<Tensor>& x) { return pow(op(x), 3); };
    check_gradient(cubed, shapes);
    check_second_gradient(cubed, shapes);
  };
  using Tensors = std::vector<Tensor>;
  both([](const Tensors& x) { return reshape(x[0], {5, -1}); }, {{2, 3, 5}});
  both([](const Tensors& x) { return transpose(x[0], 0, -1); }, {{2, 3, 5}});
  both([](const Tensors& x) { return permute(x[0], {2, 0, 1}); }, {{2, 3, 5}});
  both([](const Tensors& x) { return permute(x[0], {0, 2, 1, 3}); }, {{2, 3, 5, 2}});
  both([](const Tensors& x) { return concat({x[0], x[1], x[0]}, 1); }, {{2, 3, 2}, {2, 1, 2}});
  both([](const Tensors& x) { return stack({x[0], x[1]}, 1); }, {{2, 3}, {2, 3}});
  both([](const Tensors& x) { return slice(x[0], 1, 1, -1); }, {{2, 5, 3}});
  both([](const Tensors& x) { return pad(x[0], 1, 2, 1, 7); }, {{2, 3, 2}});
  both(
      [](const Tensors& x) {
        const std::vector<Tensor> parts = split_sizes(x[0] * x[0], {2, 3}, 0);
        return sum(parts[0], 0) * sum(parts[1], 0);
      },
      {{5, 3}});
}

#endif

TEST_CASE("pad: counts beyond what a size can be are refused") {
  constexpr Index kMost = std::numeric_limits<Index>::max();
  for (const auto& [before, after] :
       {std::pair{kMost, Index{1}}, {Index{1}, kMost}, {kMost, kMost}}) {
    CHECK_THROWS_WITH_AS(pad(zeros({0}), 0, before, after),
                         doctest::Contains("pad: counts must not be negative or beyond 2^63"),
                         std::invalid_argument);
  }
  CHECK_FAILS(pad(zeros({0, 4}), 0, Index{1} << 62, 0), "pad: too many elements to count");
}

TEST_CASE("shape ops: an op names a size that cannot be counted") {
  constexpr Index kHalf = Index{1} << 40;
  const Tensor tall = zeros({kHalf, 0}), wide = zeros({0, kHalf});
  CHECK_FAILS(concat({zeros({kHalf << 21, 0, 2}), zeros({kHalf << 21, 0, 2})}, 0),
              "concat: too many elements to count");
  CHECK_FAILS(linear(tall, wide), "linear: too many elements to count");
  CHECK_FAILS(scaled_dot_product_attention(tall, tall, tall),
              "scaled_dot_product_attention: too many elements to count");
  CHECK_FAILS(attention_weights(tall, tall), "attention_weights: too many elements to count");
}

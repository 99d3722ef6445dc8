#include "autograd/ops/reduce.h"

#include <cstring>
#include <string>

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

const Tensor kTable = tensor({{{1, 2, 3}, {4, 5, 6}}, {{-1, -2, 9}, {7, 0, 8}}});  // [2, 2, 3]

template <class A>
concept SumsOver = requires(const Tensor& x, A axes) {
  sum(x, axes), argmax(x, axes);
};
static_assert(SumsOver<int> && SumsOver<Index>);
static_assert(!SumsOver<bool> && !SumsOver<ReduceOptions>, "sum(x, true) would be over axis 1");

template <class A>
concept SumsOverBraces = requires(const Tensor& x, A axis) {
  sum(x, {axis});
};
template <class A>
concept SumsOverBracesOfTwo = requires(const Tensor& x, A axis) {
  sum(x, {-1, axis});
};
static_assert(SumsOverBraces<int> && SumsOverBracesOfTwo<int>);
static_assert(!SumsOverBraces<bool> && !SumsOverBracesOfTwo<bool>, "nor is {true} axis 1");

}  // namespace

TEST_CASE("sum: by hand, over every set of axes") {
  CHECK(sum(kTable).shape() == Shape());
  CHECK(sum(kTable).item() == 42);
  CHECK(sum(kTable, 0).values() == Values{0, 0, 12, 11, 5, 14});
  CHECK(sum(kTable, 1).values() == Values{5, 7, 9, 6, -2, 17});
  CHECK(sum(kTable, 2).values() == Values{6, 15, 6, 15});
  CHECK(sum(kTable, {0}).values() == Values{0, 0, 12, 11, 5, 14});
  CHECK(sum(kTable, {1}).values() == Values{5, 7, 9, 6, -2, 17});
  CHECK(sum(kTable, {0, 1}).values() == Values{11, 5, 26});
  CHECK(sum(kTable, {0, 2}).values() == Values{12, 30});
  CHECK(sum(kTable, {-1, 1}).values() == Values{21, 21});
  CHECK(sum(kTable, {0, 1, 2}).shape() == Shape());
  CHECK(sum(kTable, {0, 2}, {.keepdim = true}).shape() == Shape{1, 2, 1});
  CHECK(sum(kTable, {}, {.keepdim = true}).shape() == Shape{1, 1, 1});
  CHECK(sum(scalar(5)).item() == 5);
}

TEST_CASE("mean and variance: by hand") {
  CHECK(mean(kTable).item() == 3.5);
  CHECK_CLOSE(mean(kTable, -1), tensor({{2, 5}, {2, 5}}));
  CHECK_CLOSE(mean(kTable, {0, 2}, {.keepdim = true}), tensor({{{2}, {5}}}));
  CHECK_CLOSE(variance(tensor({{1, 2, 3}, {-1, -1, 5}}), -1), tensor({2. / 3, 8}));
  CHECK_CLOSE(variance(tensor({{1, 2, 3}, {5, 6, 7}}), 0), tensor({4, 4, 4}));
  CHECK_CLOSE(variance(kTable), scalar(143. / 12));
  CHECK(variance(tensor({{5}, {7}}), -1, {.keepdim = true}).values() == Values{0, 0});
}

TEST_CASE("max: by hand; equal elements share the gradient") {
  CHECK(max(kTable).item() == 9);
  CHECK(max(kTable, 0).values() == Values{1, 2, 9, 7, 5, 8});
  CHECK(max(kTable, {0, 1}).values() == Values{7, 5, 9});
  CHECK(max(kTable, -1, {.keepdim = true}).values() == Values{3, 6, 9, 8});
  CHECK(max(tensor({-3, -2, -5})).item() == -2);
  const auto rows = [](const Tensor& x) { return max(x, -1); };
  const Tensor x = tensor({{1, 5, 5}, {2, 1, 0}, {4, 4, 4}});
  CHECK_CLOSE(gradient_of(rows, x, tensor({6, 7, 9})), tensor({{0, 3, 3}, {7, 0, 0}, {3, 3, 3}}));
}

TEST_CASE("max: the result for -inf alone is -inf, and for NaN at any place NaN") {
  CHECK(max(tensor({-kInf, -kInf})).item() == -kInf);
  CHECK(std::isnan(max(tensor({kNaN, 1, 2})).item()));
  CHECK(std::isnan(max(tensor({1, kNaN, 2})).item()));
  CHECK_CLOSE(max(tensor({{1, kNaN}, {kNaN, 3}, {2, 5}}), 1), tensor({kNaN, kNaN, 5}));
  CHECK_CLOSE(max(tensor({{1, kNaN}, {kNaN, 3}, {2, 5}}), 0), tensor({kNaN, kNaN}));
}

TEST_CASE("max: has the bits of a loop from left to right, at zeros of either sign and at NaN") {
  const Scalar odd[] = {0, -Scalar(0), kNaN, -kNaN, -kInf, kInf, 1, -1};
  for (Index n = 1; n < 150; ++n) {
    const int kinds = n % 3 == 0 ? 2 : n % 3 == 1 ? 5 : 8;  // zeros only, with NaN, all
    Tensor x(Shape{23, n});
    for (Index i = 0; i < x.size(); ++i) {
      const std::uint32_t word = bits_at({.seed = 3, .place = static_cast<std::uint32_t>(n)}, i);
      x.mutable_data()[i] =
          word % 7 == 0 || kinds == 2 ? odd[word / 7 % kinds] : -Scalar(word % 1000);
    }
    const Tensor y = max(x, 1);
    for (Index r = 0; r < 23; ++r) {
      const Scalar* row = x.data() + r * n;
      Scalar best = row[0];
      for (Index i = 1; i < n; ++i) {
        best = best > row[i] || best != best ? best : row[i];
      }
      CAPTURE(n);
      CAPTURE(r);
      CHECK(std::memcmp(&y.data()[r], &best, sizeof(best)) == 0);
    }
  }
}

TEST_CASE("min: by hand, and as max is of the negative, to the bit") {
  CHECK(min(kTable).item() == -2);
  CHECK(min(kTable, 1).values() == Values{1, 2, 3, -1, -2, 8});
  CHECK(min(kTable, -1, {.keepdim = true}).shape() == Shape{2, 2, 1});
  CHECK(std::isnan(min(tensor({1, kNaN, 0})).item()));
  CHECK(min(full({70}, kInf)).item() == kInf);
  for (Index n = 1; n < 150; ++n) {
    Tensor x(Shape{23, n});
    for (Index i = 0; i < x.size(); ++i) {
      const std::uint32_t word = bits_at({.seed = 4, .place = static_cast<std::uint32_t>(n)}, i);
      x.mutable_data()[i] = word % 3 == 0 ? -Scalar(0) : Scalar(word % (1 + n % 5));
    }
    for (int axis : {0, 1}) {
      const Tensor got = min(x, axis), expected = -max(-x, axis);
      CAPTURE(n);
      CHECK(std::memcmp(got.data(), expected.data(), got.size() * sizeof(Scalar)) == 0);
    }
  }
  const auto least = [](const Tensor& x) { return min(x, 1); };
  CHECK(gradient_of(least, tensor({{3, 1, 1}, {0, 5, 7}}), tensor({4, 9})).values() ==
        Values{0, 2, 2, 9, 0, 0});
  CHECK_FAILS(min(zeros({0})), "min: needs at least one element to reduce, got [0]");
  CHECK_FAILS(min(kTable, 3), "min: axis 3 is not an axis of [2, 2, 3]");
}

TEST_CASE("cumsum: by hand, along every axis") {
  CHECK(cumsum(kTable, 0).values() == Values{1, 2, 3, 4, 5, 6, 0, 0, 12, 11, 5, 14});
  CHECK(cumsum(kTable, 1).values() == Values{1, 2, 3, 5, 7, 9, -1, -2, 9, 6, -2, 17});
  CHECK(cumsum(kTable, -1).values() == Values{1, 3, 6, 4, 9, 15, -1, -3, 6, 7, 7, 15});
  CHECK(cumsum(zeros({2, 0, 3}), 1).shape() == Shape{2, 0, 3});
  CHECK(cumsum(zeros({2, 0, 3}), 0).shape() == Shape{2, 0, 3});
  const auto running = [](const Tensor& x) { return cumsum(x, 0); };
  CHECK(gradient_of(running, tensor({7, 8, 9}), tensor({1, 10, 100})).values() ==
        Values{111, 110, 100});
  const double share = static_cast<double>(Scalar(0.1));
  CHECK(std::abs(cumsum(full({1'000'003}, Scalar(0.1)), 0).at({1'000'002}) / (share * 1'000'003) -
                 1) < 1e-6);
  CHECK_THREADS([](const Tensors& x) { return cumsum(x[0], 1); }, {drawn({67, 31, 53}, 0)});
  CHECK_FAILS(cumsum(kTable, 3), "cumsum: axis 3 is not an axis of [2, 2, 3]");
  CHECK_FAILS(cumsum(scalar(1), 0), "cumsum: axis 0 is not an axis of []");
}

TEST_CASE("mse_loss: by hand") {
  Tensor x = tensor({{1, 5}, {0, 2}}).set_requires_grad();
  Tensor target = tensor({{2, 2}, {0, 4}}).set_requires_grad();
  const Tensor loss = mse_loss(x, target);
  CHECK(loss.shape() == Shape());
  CHECK(loss.item() == 3.5);
  backward(loss, scalar(2));
  CHECK(x.grad().values() == Values{-1, 3, 0, -2});
  CHECK(target.grad().values() == Values{1, -3, 0, 2});
  CHECK_FAILS(mse_loss(zeros({2, 1}), zeros({2})),
              "mse_loss: shapes must be equal, got x [2, 1] and target [2]");
  CHECK_FAILS(mse_loss(zeros({0, 3}), zeros({0, 3})), "mse_loss: needs at least one element");
}

TEST_CASE("reductions: graphs and errors call each op by its own name") {
  const Tensor x = ones({2, 3}).set_requires_grad();
  CHECK(std::string(sum_to(x, {3}).node()->op) == "sum_to");
  CHECK(std::string(mean(x).node()->op) == "mean");
  CHECK(std::string(min(x).node()->op) == "min");
  CHECK_FAILS(variance(x, 2), "variance: axis 2 is not an axis of [2, 3]");
  CHECK_FAILS(variance(zeros({0})), "variance: needs at least one element");
}

TEST_CASE("sum and mean: gradients by hand") {
  const auto columns = [](const Tensor& x) { return sum(x, 0); };
  const auto means = [](const Tensor& x) { return mean(x, -1); };
  const Tensor x = tensor({{1, 2, 4}, {3, 5, 7}});
  CHECK(gradient_of(columns, x, tensor({2, 3, 5})).values() == Values{2, 3, 5, 2, 3, 5});
  CHECK_CLOSE(gradient_of(means, x, tensor({3, 6})), tensor({{1, 1, 1}, {2, 2, 2}}));
}

TEST_CASE("reductions: against a loop, over every set of axes, on one thread and on several") {
  const Tensor x = drawn({2, 67, 3, 211}, 0);
  for (const int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    for (int mask = 1; mask < 16; ++mask) {
      CAPTURE(mask);
      Shape kept = x.shape();
      for (int axis = 0; axis < 4; ++axis) {
        kept = (mask >> axis & 1) != 0 ? kept.with(axis, 1) : kept;
      }
      std::vector<double> sums(kept.size(), 0), tops(kept.size(), -1e9);
      for (Index i = 0; i < x.size(); ++i) {
        Index at = 0, rest = i;
        for (int axis = 4, step = 1; axis-- > 0; rest /= x.size(axis)) {
          at += kept[axis] == 1 ? 0 : rest % x.size(axis) * step;
          step *= static_cast<int>(kept[axis]);
        }
        sums[at] += x.data()[i];
        tops[at] = std::max<double>(tops[at], x.data()[i]);
      }
      CHECK_CLOSE(sum_to(x, kept), tensor(kept, {sums.begin(), sums.end()}),
                  kIsDouble ? 1e-10 : 1e-4);
      Tensor top = x;
      for (int axis = 0; axis < 4; ++axis) {
        top = (mask >> axis & 1) != 0 ? max(top, axis, {.keepdim = true}) : top;
      }
      CHECK_CLOSE(top, tensor(kept, {tops.begin(), tops.end()}), 0);
    }
  }
}

TEST_CASE("sum: ten million elements lose few digits") {
  const Index n = 10'000'019;
  const Scalar share = Scalar(0.1);
  const double exact = static_cast<double>(share) * n;
  const Tensor x = full({n}, share);
  CHECK(std::abs(sum(x).item() / exact - 1) < 1e-5);
  CHECK(std::abs(mean(x).item() / share - 1) < 1e-5);
  CHECK(sum(ones({n})).item() == static_cast<Scalar>(n));
}

TEST_CASE("sum: long columns lose few digits") {
  const Index n = 1'000'003;
  const Tensor x = full({n, 3}, Scalar(0.1));
  const double exact = static_cast<double>(Scalar(0.1)) * n;
  CHECK_CLOSE(sum(x, 0), full({3}, static_cast<Scalar>(exact)), 1e-4);
}

TEST_CASE("sum_to and broadcast_to undo each other's shapes") {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  CHECK(sum_to(x, {3}).values() == Values{5, 7, 9});
  CHECK(sum_to(x, {2, 1}).values() == Values{6, 15});
  CHECK(sum_to(x, {}).item() == 21);
  CHECK(sum_to(x, {1, 1}).shape() == Shape{1, 1});
  CHECK(sum_to(x, {2, 3}).data() == x.data());
  CHECK(broadcast_to(tensor({{1}, {2}}), {2, 3}).values() == Values{1, 1, 1, 2, 2, 2});
  CHECK(broadcast_to(tensor({1, 2}), {3, 2}).values() == Values{1, 2, 1, 2, 1, 2});
  CHECK(broadcast_to(scalar(7), {2, 1, 2}).values() == Values{7, 7, 7, 7});
  CHECK(broadcast_to(zeros({1, 3}), {0, 3}).shape() == Shape{0, 3});
  CHECK_FAILS(sum_to(x, {2}), "sum_to: shapes must broadcast, got [2, 3] and [2]");
  CHECK_FAILS(sum_to(zeros({1, 3}), {2, 3}), "sum_to: [2, 3] does not broadcast to [1, 3]");
  CHECK_FAILS(broadcast_to(x, {1, 3}), "broadcast_to: [2, 3] does not broadcast to [1, 3]");
  CHECK_FAILS(broadcast_to(x, {2, 5}), "broadcast_to: shapes must broadcast");
}

TEST_CASE("reductions: nothing to reduce") {
  CHECK(sum(zeros({0})).item() == 0);
  CHECK(sum(zeros({3, 0}), 1).values() == Values{0, 0, 0});
  CHECK(sum(zeros({3, 0}), 0).shape() == Shape{0});
  CHECK(sum(zeros({0, 5, 3}), {0, 1}).values() == Values{0, 0, 0});
  CHECK(mean(zeros({3, 0}), 0).shape() == Shape{0});
  CHECK(max(zeros({3, 0, 2}), {0, 2}).shape() == Shape{0});
  CHECK_FAILS(mean(zeros({3, 0}), 1), "mean: needs at least one element to reduce, got [3, 0]");
  CHECK_FAILS(max(zeros({0})), "max: needs at least one element to reduce, got [0]");
  CHECK_FAILS(variance(zeros({0})), "needs at least one element to reduce, got [0]");
}

TEST_CASE("reductions: axes that are absent or named twice") {
  const Tensor x = zeros({2, 3});
  CHECK_FAILS(sum(x, 2), "sum: axis 2 is not an axis of [2, 3]");
  CHECK_FAILS(mean(x, -3), "mean: axis -3 is not an axis of [2, 3]");
  CHECK_FAILS(max(x, {1, -1}), "max: axis -1 of [2, 3] is named twice");
  CHECK_FAILS(sum(scalar(1), 0), "sum: axis 0 is not an axis of []");
}

TEST_CASE("reductions: several threads") {
  for (const Shape& shape : {Shape{100'003}, Shape{331, 307}, Shape{3, 331, 101}}) {
    const Tensors inputs{drawn(shape, 1)};
    CHECK_THREADS([](const Tensors& x) { return sum(x[0] * x[0]); }, inputs);
    CHECK_THREADS([](const Tensors& x) { return max(x[0], -1); }, inputs, 0);
    CHECK_THREADS([](const Tensors& x) { return mean(x[0], 0); }, inputs);
    CHECK_THREADS([](const Tensors& x) { return variance(x[0], 0); }, inputs);
  }
}

#ifdef GRADUS_DOUBLE

TEST_CASE("reductions: gradients of first and second order") {
  const auto both = [](const TensorFunction& op) {
    // The result is multiplied by x again.
    const TensorFunction f = [op](const Tensors& x) { return tanh(op(x)) * x[0]; };
    check_gradient(f, {{2, 3, 5}});
    check_second_gradient(f, {{2, 3, 5}});
  };
  for (const Axes& axes : {Axes(), Axes(0), Axes(1), Axes(-1), Axes{0, 2}, Axes{1, -1}}) {
    both([=](const Tensors& x) { return sum(x[0], axes, {.keepdim = true}); });
    both([=](const Tensors& x) { return mean(x[0], axes, {.keepdim = true}); });
    both([=](const Tensors& x) { return max(x[0], axes, {.keepdim = true}); });
    both([=](const Tensors& x) { return min(x[0], axes, {.keepdim = true}); });
    both([=](const Tensors& x) { return variance(x[0], axes, {.keepdim = true}); });
  }
  for (int axis : {0, 1, 2}) both([=](const Tensors& x) { return cumsum(x[0], axis); });
  both([](const Tensors& x) { return mse_loss(x[0], x[0] * x[0]); });
  both([](const Tensors& x) { return sum(x[0], {0, 1}); });
  both([](const Tensors& x) { return max(x[0], 0); });
  both([](const Tensors& x) { return sum_to(x[0], {3, 1}); });
  both([](const Tensors& x) {
    return broadcast_to(sum(x[0], 2, {.keepdim = true}), {7, 2, 3, 5});
  });
}

#endif

TEST_CASE("reductions of a scalar have elements of their own") {
  for (const auto& reduced : {max, min, sum, mean}) {
    const Tensor x = scalar(3), y = reduced(x, {}, {});
    *y.mutable_data() = 0;
    CHECK(x.item() == 3);
  }
  const Tensor x = scalar(3).set_requires_grad();
  backward(sum(x) * max(x));
  CHECK(x.grad().item() == 6);
}

TEST_CASE("mean: the mean of equal numbers is that number") {
  for (Index n = 1; n <= 100; ++n) {
    CHECK(mean(full({n}, Scalar(0.7))).item() ==
          doctest::Approx(0.7).epsilon(kIsDouble ? 1e-15 : 1e-6));
    CHECK(mean(ones({n})).item() == 1);
  }
}

TEST_CASE("max, min: an infinite gradient goes to the chosen element alone") {
  for (const bool largest : {true, false}) {
    const Tensor x = tensor({1, 2, 1, 2, 0}).set_requires_grad();
    const Tensor y = largest ? max(x) : min(x);
    backward(y, scalar(kInf));
    const Values expected = largest ? Values{0, kInf, 0, kInf, 0} : Values{0, 0, 0, 0, kInf};
    CHECK(x.grad().values() == expected);
  }
}

TEST_CASE("max: the gradient goes to NaN where there is one") {
  const Tensor x = tensor({1, kNaN, 3}).set_requires_grad();
  backward(max(x), scalar(5));
  CHECK(x.grad().values() == Values{0, 5, 0});
}

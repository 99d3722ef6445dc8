#include "autograd/ops/softmax.h"

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;

TEST_CASE("softmax: by hand") {
  const double ln2 = 0.6931471805599453, ln3 = 1.0986122886681098;
  CHECK_CLOSE(softmax(tensor({{0, 0}, {ln3, 0}})), tensor({{0.5, 0.5}, {0.75, 0.25}}));
  CHECK_CLOSE(softmax(tensor({{0, 0, ln2}, {ln3, 0, 0}})),
              tensor({{0.25, 0.25, 0.5}, {0.6, 0.2, 0.2}}));
  CHECK_CLOSE(softmax(tensor({{0, 0}, {ln3, 0}}), 0), tensor({{0.25, 0.5}, {0.75, 0.5}}));
  CHECK_CLOSE(log_softmax(tensor({{0, 0}, {ln3, 0}})),
              tensor({{-ln2, -ln2}, {std::log(0.75), std::log(0.25)}}));
}

TEST_CASE("softmax: gradients by hand") {
  // y = (1/4, 1/4, 1/2), sum(dy y) = 2.25: dx = y (dy - 2.25)
  const Tensor x = tensor({{0, 0, 0.6931471805599453}});
  const Tensor dy = tensor({{1, 2, 3}});
  CHECK_CLOSE(gradient_of([](const Tensor& v) { return softmax(v); }, x, dy),
              tensor({{-0.3125, -0.0625, 0.375}}));
  // dx = dy - 6 y
  CHECK_CLOSE(gradient_of([](const Tensor& v) { return log_softmax(v); }, x, dy),
              tensor({{-0.5, 0.5, 0}}));
}

TEST_CASE("softmax: errors begin with the op") {
  CHECK_FAILS(softmax(scalar(1)), "softmax: axis -1 is not an axis of []");
  CHECK_FAILS(log_softmax(arange(2), 1), "log_softmax: axis 1 is not an axis of [2]");
}

TEST_CASE("softmax: equals the composed version along every axis") {
  for (int axis = -3; axis < 3; ++axis) {
    CAPTURE(axis);
    const Tensors inputs{drawn({2, 3, 37}, 0, -5, 5)};
    const Function f = [=](const Tensors& x) { return tanh(softmax(x[0], axis)) * x[0]; };
    const Function g = [=](const Tensors& x) { return tanh(log_softmax(x[0], axis)) * x[0]; };
    CHECK_PATHS(f, inputs);
    CHECK_PATHS(g, inputs);
  }
}

TEST_CASE("softmax: very large elements") {
  CHECK_CLOSE(softmax(tensor({1e30, 0, -1e30})), tensor({1, 0, 0}));
  CHECK_CLOSE(softmax(tensor({1000, 1000, -1000})), tensor({0.5, 0.5, 0}));
  const Scalar lowest = std::numeric_limits<Scalar>::lowest();  // a finite mask, not -inf
  CHECK(softmax(tensor({lowest, -kInf, lowest})).values() == Values{0.5, 0, 0.5});
  CHECK_CLOSE(log_softmax(tensor({1000, 0})), tensor({0, -1000}));
  CHECK_CLOSE(log_softmax(tensor({-1e30, 0})), tensor({-1e30, 0}));
}

TEST_CASE("log_softmax: keeps its digits where all elements are large") {
  const double rest = -std::log(1 + std::exp(-7.0));
  CHECK_CLOSE(log_softmax(tensor({1000, 993})), tensor({rest, rest - 7}));
}

TEST_CASE("softmax: -inf gives exactly 0, in value and gradient") {
  const Tensor x = tensor({{0, -kInf, 0}, {-kInf, 5, -kInf}});
  CHECK(softmax(x).values() == Values{0.5, 0, 0.5, 0, 1, 0});
  const Tensor dx =
      gradient_of([](const Tensor& v) { return softmax(v); }, x, tensor({{1, 2, 5}, {1, 1, 1}}));
  CHECK_CLOSE(dx, tensor({{-1, 0, 1}, {0, 0, 0}}));
  CHECK_CLOSE(log_softmax(x), tensor({{-std::log(2.0), -kInf, -std::log(2.0)}, {-kInf, 0, -kInf}}));
}

TEST_CASE("softmax: a fully masked row gives zeros and a zero gradient") {
  const Tensor x = tensor({{-kInf, -kInf, -kInf}, {0, 0, -kInf}});
  CHECK(softmax(x).values() == Values{0, 0, 0, 0.5, 0.5, 0});
  const auto f = [](const Tensor& v) { return softmax(v); };
  CHECK(gradient_of(f, x, tensor({{1, 2, 3}, {4, 6, 9}})).values() ==
        Values{0, 0, 0, -0.5, 0.5, 0});
  CHECK(softmax(transpose(x), 0).values() == Values{0, 0.5, 0, 0.5, 0, 0});
  const ComposedOps composed;
  CHECK(softmax(x).values() == Values{0, 0, 0, 0.5, 0.5, 0});
  CHECK(gradient_of(f, x, tensor({{1, 2, 3}, {4, 6, 9}})).values() ==
        Values{0, 0, 0, -0.5, 0.5, 0});
}

TEST_CASE("softmax: NaN spoils its own row only, and never passes for a mask") {
  const Tensor x = tensor({{1, kNaN, 2}, {0, 0, 0}, {kNaN, -kInf, -kInf}, {kNaN, kNaN, kNaN}});
  for (const Tensor& y : {softmax(x), log_softmax(x)}) {
    for (const Index row : {0, 2, 3}) {
      CAPTURE(row);
      CHECK(std::isnan(y.at({row, 0})));
      CHECK(std::isnan(y.at({row, 2})));
    }
    CHECK(std::isfinite(y.at({1, 0})));
  }
}

TEST_CASE("log_softmax: -inf stays, a row of nothing else is NaN, on both paths") {
  const Tensor x = tensor({{0, -kInf}, {-kInf, -kInf}});
  const auto f = [](const Tensor& v) { return log_softmax(v); };
  for (const bool fused : {true, false}) {
    const detail::ValueScope<bool> path(detail::takes_fused, fused);
    CHECK_CLOSE(f(x), tensor({{0, -kInf}, {kNaN, kNaN}}));
    CHECK_CLOSE(gradient_of(f, x, tensor({{2, 3}, {2, 3}})), tensor({{-3, 3}, {kNaN, kNaN}}));
  }
}

TEST_CASE("softmax: sizes 0 and 1") {
  CHECK(softmax(tensor({{3}, {-7}})).values() == Values{1, 1});
  CHECK(log_softmax(tensor({{3}, {-7}})).values() == Values{0, 0});
  for (const Shape& shape : {Shape{0}, Shape{0, 3}, Shape{3, 0}, Shape{2, 0, 3}}) {
    for (int axis = 0; axis < shape.rank(); ++axis) {
      CHECK(softmax(zeros(shape), axis).shape() == shape);
      CHECK(log_softmax(zeros(shape), axis).shape() == shape);
      const ComposedOps composed;
      CHECK(softmax(zeros(shape), axis).shape() == shape);
      CHECK(log_softmax(zeros(shape), axis).shape() == shape);
    }
  }
}

TEST_CASE("softmax: an absent axis is named") {
  CHECK_FAILS(softmax(zeros({2, 3}), 2), "axis 2 is not an axis of [2, 3]");
  CHECK_FAILS(log_softmax(zeros({2, 3}), -3), "axis -3 is not an axis of [2, 3]");
  CHECK_FAILS(softmax(scalar(1)), "axis -1 is not an axis of []");
}

TEST_CASE("softmax: several threads") {
  const Tensors inputs{drawn({331, 67}, 1)};
  CHECK_THREADS([](const Tensors& x) { return softmax(x[0]); }, inputs, 0);
  CHECK_THREADS([](const Tensors& x) { return log_softmax(x[0], 0); }, inputs, 0);
}

#ifdef GRADUS_DOUBLE

TEST_CASE("softmax: gradients of first and second order") {
  for (const int axis : {0, 1, -1}) {
    const TensorFunction f = [=](const Tensors& x) { return tanh(softmax(x[0], axis)) * x[0]; };
    const TensorFunction g = [=](const Tensors& x) { return tanh(log_softmax(x[0], axis)) * x[0]; };
    check_gradient(f, {{2, 3, 5}});
    check_second_gradient(f, {{2, 3, 5}});
    check_gradient(g, {{2, 3, 5}});
    check_second_gradient(g, {{2, 3, 5}});
  }
  check_gradient(in_words([](const Tensors& x) { return softmax(x[0]); }), {{3, 5}});
  check_gradient(in_words([](const Tensors& x) { return log_softmax(x[0]); }), {{3, 5}});
}

#endif

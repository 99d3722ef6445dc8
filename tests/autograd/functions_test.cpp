#include "autograd/ops/functions.h"

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;

TEST_CASE("exp: by hand and at its edges") {
  CHECK_CLOSE(exp(tensor({{0, 1}, {-1, 2}})),
              tensor({{1, 2.718281828459045}, {0.36787944117144233, 7.38905609893065}}));
  CHECK_CLOSE(exp(tensor({-kInf, kInf, kNaN, 1000, -1000})), tensor({0, kInf, kNaN, kInf, 0}));
  const Tensor w = tensor({2, 3});
  CHECK_CLOSE(gradient_of([](const Tensor& x) { return exp(x); }, tensor({0, 1}), w),
              tensor({2, 3 * 2.718281828459045}));
}

TEST_CASE("log: by hand and at its edges") {
  CHECK_CLOSE(log(tensor({1, 2, 10})), tensor({0, 0.6931471805599453, 2.302585092994046}));
  CHECK_CLOSE(log(tensor({0.0, -0.0, -1, kInf, kNaN})), tensor({-kInf, -kInf, kNaN, kInf, kNaN}));
  CHECK_CLOSE(gradient_of([](const Tensor& x) { return log(x); }, tensor({2, 0.5}), tensor({3, 5})),
              tensor({1.5, 10}));
}

TEST_CASE("sqrt: by hand and at its edges") {
  CHECK(sqrt(tensor({0, 1, 4, 6.25})).values() == Values{0, 1, 2, 2.5});
  CHECK_CLOSE(sqrt(tensor({-1, kInf, kNaN})), tensor({kNaN, kInf, kNaN}));
  const Tensor slope =
      gradient_of([](const Tensor& x) { return sqrt(x); }, tensor({4, 0.25, 0}), tensor({3, 5, 1}));
  CHECK(slope.values() == Values{0.75, 5, kInf});
}

TEST_CASE("sin and cos: by hand and at their edges") {
  CHECK_CLOSE(sin(tensor({0, 1, -2})), tensor({0, 0.8414709848078965, -0.9092974268256817}));
  CHECK_CLOSE(cos(tensor({0, 1, -2})), tensor({1, 0.5403023058681398, -0.4161468365471424}));
  CHECK_CLOSE(sin(tensor({kInf, kNaN})), tensor({kNaN, kNaN}));
  CHECK(std::signbit(sin(tensor({-0.0})).item()));
  CHECK_CLOSE(gradient_of([](const Tensor& x) { return sin(x); }, tensor({0, 1}), tensor({2, 3})),
              tensor({2, 3 * 0.5403023058681398}));
  CHECK_CLOSE(gradient_of([](const Tensor& x) { return cos(x); }, tensor({0, 1}), tensor({2, 3})),
              tensor({0, -3 * 0.8414709848078965}));
}

TEST_CASE("minimum: by hand, at ties and at NaN") {
  const Tensor a = tensor({{1, 5}, {3, 4}});
  CHECK(minimum(a, tensor({2, 2})).values() == Values{1, 2, 2, 2});
  CHECK(minimum(scalar(3), a).values() == Values{1, 3, 3, 3});
  CHECK_CLOSE(minimum(tensor({kNaN, 1}), tensor({1, kNaN})), tensor({kNaN, kNaN}));
  Tensor x = tensor({1, 5, 2}).set_requires_grad(), y = tensor({2, 2, 2}).set_requires_grad();
  backward(minimum(x, y), tensor({3, kInf, 8}));
  CHECK(x.grad().values() == Values{3, 0, 4});
  CHECK(y.grad().values() == Values{0, kInf, 4});
  CHECK_FAILS(minimum(a, zeros({3})), "minimum: shapes must broadcast, got [2, 2] and [3]");
}

TEST_CASE("clamp: by hand, at its ends and at NaN") {
  const Tensor x = tensor({-3, -1, 0.5, 2, 7});
  CHECK(clamp(x, -1, 2).values() == Values{-1, -1, 0.5, 2, 2});
  CHECK(clamp(x, 0, kInf).values() == Values{0, 0, 0.5, 2, 7});
  CHECK(clamp(x, 1, 1).values() == Values{1, 1, 1, 1, 1});
  CHECK(std::isnan(clamp(scalar(kNaN), 0, 1).item()));
  CHECK(
      gradient_of([](const Tensor& v) { return clamp(v, -1, 2); }, x, tensor({kInf, 2, 3, 5, kNaN}))
          .values() == Values{0, 2, 3, 5, 0});
  CHECK_FAILS(clamp(x, 2, 1), "clamp: needs low <= high, got 2 and 1");
  CHECK_FAILS(clamp(x, kNaN, 1), "clamp: needs low <= high, got nan and 1");
}

TEST_CASE("compound assignment: makes a new tensor, which the name then means") {
  Tensor x = tensor({1, 2});
  const Tensor before = x;
  CHECK((x += tensor({{10}, {20}})).values() == Values{11, 12, 21, 22});
  CHECK(before.values() == Values{1, 2});
  x -= 1;
  x *= tensor({2, 3});
  x /= 2;
  CHECK(x.values() == Values{10, 16.5, 20, 31.5});
  x += Scalar(1), x -= tensor({1, 1}), x *= 2, x /= tensor({2, 1});
  CHECK(x.values() == Values{10, 33, 20, 63});
  x += x;
  CHECK(x.values() == Values{20, 66, 40, 126});
}

TEST_CASE("compound assignment: gradients go through all that a name has meant") {
  const Tensor x = tensor({2, 3}).set_requires_grad();
  Tensor y = x * x;
  y += x;
  y *= y;
  y -= 5 * x;
  y /= 2;
  backward(sum(y));
  CHECK(x.grad().values() == Values{(2 * 6 * 5 - 5) / Scalar(2), (2 * 12 * 7 - 5) / Scalar(2)});
  Tensor total = scalar(0);  // a constant is no leaf that collects
  for (int i = 0; i < 3; ++i) total += sum(x * x);
  CHECK(grad({total}, {x})[0].values() == Values{12, 18});
}

TEST_CASE("compound assignment: not on a leaf, whose gradient the name would lose") {
  Tensor w = tensor({1, 2}).set_requires_grad();
  CHECK_FAILS(w += 1, "+=: the tensor of shape [2] is a leaf that collects a gradient");
  CHECK_FAILS(w -= w, "-=: the tensor of shape [2] is a leaf");
  CHECK_FAILS(w *= 2, "*=: the tensor of shape [2] is a leaf");
  CHECK_FAILS(w /= w, "(give the result a new name, or write to mutable_data())");
  const NoGrad no_grad;
  CHECK_FAILS(w += 1, "+=: the tensor of shape [2] is a leaf");
  CHECK(w.values() == Values{1, 2});
}

TEST_CASE("functions: keep the shape, also without elements") {
  for (const Shape& shape : {Shape{}, Shape{0, 3}, Shape{1}, Shape{2, 3, 5}}) {
    CHECK(exp(ones(shape)).shape() == shape);
    CHECK(log(ones(shape)).shape() == shape);
    CHECK(sqrt(ones(shape)).shape() == shape);
    CHECK(sin(ones(shape)).shape() == shape);
    CHECK(cos(ones(shape)).shape() == shape);
    CHECK(clamp(ones(shape), 0, 1).shape() == shape);
  }
}

TEST_CASE("functions: inverse to each other, on one thread and on several") {
  const Function f = [](const Tensors& x) { return log(exp(x[0])) + pow(sqrt(x[1]), 2) * x[1]; };
  const Function g = [](const Tensors& x) { return x[0] + x[1] * x[1]; };
  const Tensors inputs{drawn({211, 307}, 0), drawn({307}, 1, 0.5)};
  CHECK_SAME(f, g, inputs);
  CHECK_THREADS(f, inputs);
}

#ifdef GRADUS_DOUBLE

TEST_CASE("functions: gradients of first and second order") {
  const auto both = [](const TensorFunction& f) {
    check_gradient(f, {{2, 3, 5}}, {.low = 0.5});
    check_second_gradient(f, {{2, 3}}, {.low = 0.5});
  };
  both([](const Tensors& x) { return tanh(exp(x[0])) * x[0]; });
  both([](const Tensors& x) { return tanh(log(x[0])) * x[0]; });
  both([](const Tensors& x) { return tanh(sqrt(x[0])) * x[0]; });
  both([](const Tensors& x) { return sin(x[0]) * x[0]; });
  both([](const Tensors& x) { return cos(x[0]) * x[0]; });
  both([](const Tensors& x) { return tanh(clamp(x[0], 1, 1.5)) * x[0]; });
  check_gradient([](const Tensors& x) { return exp(x[0]) * x[0]; }, {{7}}, {.low = -5, .high = -1});
}

TEST_CASE("minimum and compound assignment: gradients of first and second order") {
  const auto lesser = [](const Tensors& x) { return minimum(x[0], tanh(x[1])) * x[1]; };
  check_gradient(lesser, {{2, 3, 5}, {3, 1}});
  check_second_gradient(lesser, {{2, 3, 5}, {3, 1}});
  const auto steps = [](const Tensors& x) {
    Tensor y = x[0] * x[0];
    y += x[1];
    y *= x[0];
    y -= x[1];
    y /= x[2];
    return y;
  };
  check_gradient(steps, {{2, 3}, {3}, {2, 1}}, {.low = 0.5});
  check_second_gradient(steps, {{2, 3}, {3}, {2, 1}}, {.low = 0.5});
}

#endif

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/elementwise.h"
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

TEST_CASE("functions: keep the shape, also without elements") {
  for (const Shape& shape : {Shape{}, Shape{0, 3}, Shape{1}, Shape{2, 3, 5}}) {
    CHECK(exp(ones(shape)).shape() == shape);
    CHECK(log(ones(shape)).shape() == shape);
    CHECK(sqrt(ones(shape)).shape() == shape);
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
  check_gradient([](const Tensors& x) { return exp(x[0]) * x[0]; }, {{7}}, {.low = -5, .high = -1});
}

#endif

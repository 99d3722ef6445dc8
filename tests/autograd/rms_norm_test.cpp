#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;

TEST_CASE("rms_norm: by hand") {
  // The mean square of (3, 4) is 12.5, that of (0, 2) is 2.
  const Tensor x = tensor({{3, 4}, {0, 2}});
  const double a = std::sqrt(12.5), b = std::sqrt(2.0);
  CHECK_CLOSE(rms_norm(x, Tensor(), 0), tensor({{3 / a, 4 / a}, {0, 2 / b}}));
  CHECK_CLOSE(rms_norm(x, tensor({2, -1}), 0), tensor({{6 / a, -4 / a}, {0, -2 / b}}));
  CHECK_CLOSE(rms_norm(tensor({1, 1}), Tensor(), 3), tensor({0.5, 0.5}));
}

TEST_CASE("rms_norm: its gradient stands upright on the row") {
  // y does not change with the row's length, so that dx has no part along x.
  const Tensor x = drawn({1, 9}, 0);
  const Tensor dx =
      gradient_of([](const Tensor& v) { return rms_norm(v, Tensor(), 0); }, x, drawn({1, 9}, 1));
  CHECK_CLOSE(sum(dx * x), scalar(0), kSameMaths);
}

TEST_CASE("rms_norm: equals the composed version") {
  for (const Shape& shape : {Shape{37}, Shape{3, 37}, Shape{2, 3, 37}}) {
    const Function f = [](const Tensors& x) { return tanh(rms_norm(x[0], x[1])) * x[0]; };
    const Function g = [](const Tensors& x) { return rms_norm(x[0], Tensor(), 1) * x[0]; };
    CHECK_PATHS(f, Tensors{drawn(shape, 0, -1, 3), drawn({37}, 1)});
    CHECK_PATHS(g, Tensors{drawn(shape, 0)});
  }
}

TEST_CASE("rms_norm: rows of zeros, no rows, NaN") {
  CHECK(rms_norm(zeros({2, 3})).values() == Values(6, 0));
  const auto f = [](const Tensor& x) { return rms_norm(x, ones({3})); };
  CHECK(gradient_of(f, zeros({0, 3})).shape() == Shape{0, 3});
  const Tensor y = rms_norm(tensor({{1, kNaN}, {3, 3}}));
  CHECK(std::isnan(y.at({0, 0})));
  CHECK(y.at({1, 0}) == doctest::Approx(1));
}

TEST_CASE("rms_norm: what does not fit is named") {
  CHECK_FAILS(rms_norm(zeros({2, 3}), ones({5})),
              "rms_norm: needs x [..., C] and weight [C], got x [2, 3] and weight [5]");
  CHECK_FAILS(rms_norm(scalar(1)), "got x []");
  CHECK_FAILS(rms_norm(zeros({2, 0})), "got x [2, 0]");
}

TEST_CASE("rms_norm: on two threads the weights' gradients are the sums of each one's rows") {
  // To the bit: sums that the threads share would be added in another order, if none were lost.
  const Tensor x = drawn({331, 67}, 0), w = drawn({67}, 1), dy = drawn({331, 67}, 3);
  const auto gradients = [](int threads, Tensors inputs, const Tensor& dy) {
    const ThreadScope scope(threads);
    for (Tensor& input : inputs) input = input.clone().set_requires_grad();
    const auto f = [](const Tensors& x) { return rms_norm(x[0], x[1]); };
    return grad({f(inputs)}, inputs, {.gradients = {dy}});
  };
  const Tensors both = gradients(2, {x, w}, dy);
  const Tensors first = gradients(1, {slice(x, 0, 0, 165), w}, slice(dy, 0, 0, 165));
  const Tensors second = gradients(1, {slice(x, 0, 165), w}, slice(dy, 0, 165));
  for (std::size_t i = 1; i < both.size(); ++i) {
    CHECK(both[i].values() == (first[i] + second[i]).values());
  }
}

TEST_CASE("rms_norm: several threads") {
  CHECK_THREADS([](const Tensors& x) { return rms_norm(x[0], x[1]); },
                {drawn({331, 67}, 0), drawn({67}, 1)});
}

#ifdef GRADUS_DOUBLE

TEST_CASE("rms_norm: gradients") {
  const TensorFunction f = [](const Tensors& x) { return rms_norm(x[0], x[1]); };
  check_gradient(f, {{2, 3, 5}, {5}});
  check_gradient(in_words(f), {{2, 3, 5}, {5}});
  check_gradient([](const Tensors& x) { return tanh(rms_norm(x[0])); }, {{3, 7}});
}

#endif

#include "autograd/ops/norm.h"

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;

TEST_CASE("layer_norm: by hand") {
  // Row (1, 3): mean 2, variance 1; row (-4, 4): mean 0, variance 16.
  const Tensor x = tensor({{1, 3}, {-4, 4}});
  const Tensor weight = tensor({2, 5});
  const Tensor bias = tensor({10, 20});
  CHECK_CLOSE(layer_norm(x, weight, bias, 0), tensor({{8, 25}, {8, 25}}));
  CHECK_CLOSE(layer_norm(x, weight, Tensor(), 0), tensor({{-2, 5}, {-2, 5}}));
  CHECK_CLOSE(layer_norm(x, weight, bias, 3),
              tensor({{9, 22.5}, {10 - 8 / std::sqrt(19.0), 20 + 20 / std::sqrt(19.0)}}));
  CHECK_CLOSE(layer_norm(tensor({0, 0.001}), ones({2})),
              tensor({-0.15617376188860607, 0.15617376188860607}));
}

TEST_CASE("layer_norm: gradients by hand") {
  // n = (-1, 0, 1) sqrt(3/2), g = (3, 0, 0): mean(g) = 1, mean(g n) = -sqrt(3/2).
  const Tensor x = tensor({{1, 2, 3}}).set_requires_grad();
  const Tensor weight = tensor({3, 1, 1}).set_requires_grad();
  const Tensor bias = tensor({0, 0, 0}).set_requires_grad();
  backward(layer_norm(x, weight, bias, 0), tensor({{1, 0, 0}}));
  const double r = std::sqrt(1.5);
  CHECK_CLOSE(x.grad(), tensor({{0.5 * r, -r, 0.5 * r}}));
  CHECK_CLOSE(weight.grad(), tensor({-r, 0, 0}));
  CHECK_CLOSE(bias.grad(), tensor({1, 0, 0}));
}

TEST_CASE("layer_norm: equals the composed version") {
  for (const Shape& shape : {Shape{37}, Shape{3, 37}, Shape{2, 3, 37}}) {
    const Tensors inputs{drawn(shape, 0, -1, 3), drawn({37}, 1), drawn({37}, 2)};
    const Function f = [](const Tensors& x) { return tanh(layer_norm(x[0], x[1], x[2])) * x[0]; };
    const Function g = [](const Tensors& x) { return layer_norm(x[0], x[1], Tensor(), 1) * x[1]; };
    CHECK_PATHS(f, inputs);
    CHECK_PATHS(g, Tensors{inputs[0], inputs[1]});
  }
}

TEST_CASE("layer_norm: one argument that serves as weight and bias") {
  const Function f = [](const Tensors& x) { return layer_norm(x[0], x[1], x[1]); };
  CHECK_PATHS(f, Tensors{drawn({3, 5}, 0), drawn({5}, 1)});
}

TEST_CASE("layer_norm: constant rows, single elements and no rows") {
  const Tensor one = ones({3}), none = zeros({3});
  CHECK(layer_norm(full({2, 3}, 7), one, tensor({1, 2, 3})).values() == Values{1, 2, 3, 1, 2, 3});
  const Tensor flat = gradient_of([&](const Tensor& x) { return layer_norm(x, one, none); },
                                  full({1, 3}, 7), tensor({{1, 0, -1}}));
  CHECK_CLOSE(flat, tensor({{1, 0, -1}}) * (1 / std::sqrt(Scalar(1e-5))), 1e-5);
  CHECK(layer_norm(tensor({{5}, {-2}}), tensor({3}), tensor({4})).values() == Values{4, 4});
  const auto f = [](const Tensor& x) { return layer_norm(x, ones({3}), zeros({3})); };
  CHECK(f(zeros({0, 3})).shape() == Shape{0, 3});
  CHECK(gradient_of(f, zeros({0, 3})).shape() == Shape{0, 3});
  CHECK(gradient_of(
            [](const Tensor& w) {
              return layer_norm(zeros({0, 3}), w);
            },
            one)
            .values() == Values{0, 0, 0});
}

TEST_CASE("layer_norm: a large common offset cancels, NaN spoils its own row only") {
  const Tensor x = tensor({{1, 2, 3}});
  CHECK_CLOSE(layer_norm(x + 30000, ones({3})), layer_norm(x, ones({3})));
  const Tensor y = layer_norm(tensor({{1, kNaN, 2}, {1, 2, 3}}), ones({3}));
  CHECK(std::isnan(y.at({0, 0})));
  CHECK_CLOSE(layer_norm(x, ones({3})), tensor({{y.at({1, 0}), y.at({1, 1}), y.at({1, 2})}}));
}

TEST_CASE("layer_norm: errors name the argument that does not fit") {
  CHECK_FAILS(layer_norm(zeros({2, 3}), ones({5}), zeros({3})),
              "layer_norm: needs x [..., C], weight [C] and bias [C], got x [2, 3], weight [5], "
              "bias [3]");
  CHECK_FAILS(layer_norm(zeros({2, 3}), ones({3}), zeros({1, 3})), "bias [1, 3]");
  CHECK_FAILS(layer_norm(scalar(1), ones({1})), "got x [], weight [1]");
  CHECK_FAILS(layer_norm(zeros({2, 0}), zeros({0})), "got x [2, 0]");
}

TEST_CASE("layer_norm: on two threads the weights' gradients are the sums of each one's rows") {
  // To the bit: sums that the threads share would be added in another order, if none were lost.
  const Tensor x = drawn({331, 67}, 0), w = drawn({67}, 1), b = drawn({67}, 2),
               dy = drawn({331, 67}, 3);
  const auto gradients = [](int threads, Tensors inputs, const Tensor& dy) {
    const ThreadScope scope(threads);
    for (Tensor& input : inputs) input = input.clone().set_requires_grad();
    const auto f = [](const Tensors& x) { return layer_norm(x[0], x[1], x[2]); };
    return grad({f(inputs)}, inputs, {.gradients = {dy}});
  };
  const Tensors both = gradients(2, {x, w, b}, dy);
  const Tensors first = gradients(1, {slice(x, 0, 0, 165), w, b}, slice(dy, 0, 0, 165));
  const Tensors second = gradients(1, {slice(x, 0, 165), w, b}, slice(dy, 0, 165));
  for (std::size_t i = 1; i < both.size(); ++i) {
    CHECK(both[i].values() == (first[i] + second[i]).values());
  }
}

TEST_CASE("layer_norm and rms_norm: weights' gradients over very many rows still grow") {
  // In float, 2^24 + 1 is 2^24: ones that are added to 2^24 one by one are lost.
  const Index most = Index{1} << 21, large = Index{1} << 24;
  const ThreadScope one_thread(1);
  const Tensor x = ones({most, 1});
  const Tensor dy = ones({most, 1});
  dy.mutable_data()[0] = static_cast<Scalar>(large);
  const Tensor bias = zeros({1}).set_requires_grad(), weight = ones({1}).set_requires_grad();
  backward(layer_norm(x, ones({1}), bias), dy);
  backward(rms_norm(x, weight, 0), dy);
  CHECK(bias.grad().item() >= static_cast<Scalar>(large + most / 2));
  CHECK(weight.grad().item() >= static_cast<Scalar>(large + most / 2));
}

TEST_CASE("layer_norm: several threads") {
  CHECK_THREADS([](const Tensors& x) { return layer_norm(x[0], x[1], x[2]); },
                {drawn({331, 67}, 0), drawn({67}, 1), drawn({67}, 2)});
}

#ifdef GRADUS_DOUBLE

TEST_CASE("layer_norm: gradients") {
  const TensorFunction f = [](const Tensors& x) {
    return tanh(layer_norm(x[0], x[1], x[2])) * x[0];
  };
  check_gradient(f, {{2, 3, 5}, {5}, {5}});
  check_gradient(in_words(f), {{2, 3, 5}, {5}, {5}});
  check_gradient([](const Tensors& x) { return tanh(layer_norm(x[0], x[1])); }, {{3, 7}, {7}});
}

#endif

TEST_CASE("rms_norm: by hand") {
  // The mean square of (3, 4) is 12.5, the mean square of (0, 2) is 2.
  const Tensor x = tensor({{3, 4}, {0, 2}});
  const double a = std::sqrt(12.5), b = std::sqrt(2.0);
  CHECK_CLOSE(rms_norm(x, Tensor(), 0), tensor({{3 / a, 4 / a}, {0, 2 / b}}));
  CHECK_CLOSE(rms_norm(x, tensor({2, -1}), 0), tensor({{6 / a, -4 / a}, {0, -2 / b}}));
  CHECK_CLOSE(rms_norm(tensor({1, 1}), Tensor(), 3), tensor({0.5, 0.5}));
}

TEST_CASE("rms_norm: its gradient stands upright on the row") {
  // y does not depend on the row's length, so dx is orthogonal to x.
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

TEST_CASE("rms_norm: errors name the argument that does not fit") {
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

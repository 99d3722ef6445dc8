#include "autograd/ops/activation.h"

#include <optional>

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/arithmetic.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

using Activation = Tensor (*)(const Tensor&);

/// dy/dx at each element of x.
Tensor slope(Activation f, const Tensor& x) { return gradient_of(f, x); }

}  // namespace

TEST_CASE("activations: by hand") {
  const Tensor x = tensor({-1, 0, 2});
  CHECK_CLOSE(tanh(x), tensor({-0.7615941559557649, 0, 0.9640275800758169}));
  CHECK_CLOSE(sigmoid(x), tensor({0.2689414213699951, 0.5, 0.8807970779778823}));
  CHECK(relu(x).values() == Values{0, 0, 2});
  CHECK(relu_squared(x).values() == Values{0, 0, 4});
  CHECK_CLOSE(gelu(x), tensor({-0.15880800939172324, 0, 1.954597694087775}));
  CHECK_CLOSE(gelu_erf(x), tensor({-0.15865525393145707, 0, 1.9544997361036416}));
  CHECK_CLOSE(silu(x), tensor({-0.2689414213699951, 0, 1.7615941559557646}));
}

TEST_CASE("activations: slopes by hand") {
  const Tensor x = tensor({-1, 0, 2});
  CHECK_CLOSE(slope(tanh, x), tensor({0.41997434161402614, 1, 0.07065082485316443}));
  CHECK_CLOSE(slope(sigmoid, x), tensor({0.19661193324148185, 0.25, 0.10499358540350662}));
  CHECK(slope(relu, x).values() == Values{0, 0, 1});
  CHECK(slope(relu_squared, x).values() == Values{0, 0, 4});
  CHECK_CLOSE(slope(gelu, x), tensor({-0.08296408384578252, 0.5, 1.0860992566236183}));
  CHECK_CLOSE(slope(gelu_erf, x), tensor({-0.08331547058768635, 0.5, 1.085231801078197}));
  CHECK_CLOSE(slope(silu, x), tensor({0.07232948812851325, 0.5, 1.0907842487848955}));
}

TEST_CASE("activations: NaN stays NaN") {
  for (const Activation f : {tanh, sigmoid, relu, relu_squared, gelu, gelu_erf, silu}) {
    CHECK(std::isnan(f(tensor({1, kNaN})).at({1})));
    CHECK_FALSE(std::isnan(f(tensor({1, kNaN})).at({0})));
  }
}

TEST_CASE("activations: flat far out, with finite slopes") {
  const Tensor far = tensor({-1e4, 1e4});
  CHECK(tanh(far).values() == Values{-1, 1});
  CHECK(sigmoid(far).values() == Values{0, 1});
  CHECK(slope(tanh, far).values() == Values{0, 0});
  CHECK(slope(sigmoid, far).values() == Values{0, 0});
  for (const Activation f : {relu, gelu, gelu_erf, silu}) {
    CHECK_CLOSE(f(far), tensor({0, 1e4}));
    CHECK_CLOSE(slope(f, far), tensor({0, 1}));
  }
  CHECK(slope(gelu, tensor({-1e30, -1e20, 1e20, 1e30})).values() == Values{0, 0, 1, 1});
  CHECK_CLOSE(tanh(tensor({-kInf, kInf})), tensor({-1, 1}));
  CHECK_CLOSE(sigmoid(tensor({-kInf, kInf})), tensor({0, 1}));
  CHECK_CLOSE(relu(tensor({-kInf, kInf})), tensor({0, kInf}));
}

TEST_CASE("gelu: flat far out in words too, in first and second gradients") {
  const Tensor x = tensor({-3e38, -1e20, -1e13, -1e4, -40, 40, 1e4, 1e13, 1e20, 3e38});
  const auto gelu_and_gradients = [&] {
    const Tensor leaf = x.clone().set_requires_grad();
    const Tensor y = gelu(leaf);
    const Tensor dx = grad({y}, {leaf}, {.create_graph = true, .gradients = {ones({10})}})[0];
    return Tensors{y.detach(), dx.detach(), grad({dx}, {leaf}, {.gradients = {ones({10})}})[0]};
  };
  for (const bool fused : {true, false}) {
    CAPTURE(fused);
    const std::optional<ComposedOps> composed =
        fused ? std::nullopt : std::optional<ComposedOps>(std::in_place);
    const Tensors got = gelu_and_gradients();
    CHECK(got[0].values() == relu(x).values());
    CHECK(got[1].values() == Values{0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
    CHECK(got[2].values() == Values(10, 0));
  }
}

TEST_CASE("activations: the kernels equal the composed versions") {
  for (const Activation op : {relu_squared, gelu, gelu_erf, silu}) {
    const Function f = [op](const Tensors& x) { return op(x[0]) * x[0]; };
    CHECK_PATHS(f, Tensors{drawn({2, 3, 31}, 0, -6, 6)});
    CHECK_PATHS(f, Tensors{tensor({-0.001, 0, 0.001})});
  }
}

TEST_CASE("silu and gelu_erf: small next to 0, and odd about x / 2") {
  const Tensor x = drawn({53}, 1, 0, 5);
  CHECK_CLOSE(silu(x) - silu(-x), x);
  CHECK_CLOSE(gelu_erf(x) - gelu_erf(-x), x);
  CHECK_SAME([](const Tensors& v) { return silu(v[0]) * v[0]; },
             [](const Tensors& v) { return v[0] * v[0] * sigmoid(v[0]); }, {drawn({53}, 2, -5, 5)});
}

TEST_CASE("activations: keep the shape, also without elements") {
  for (const Activation f : {tanh, sigmoid, relu, relu_squared, gelu, gelu_erf, silu}) {
    for (const Shape& shape : {Shape{}, Shape{0, 3}, Shape{1}, Shape{2, 3, 5}}) {
      CHECK(f(ones(shape)).shape() == shape);
      CHECK(slope(f, ones(shape)).shape() == shape);
    }
  }
}

TEST_CASE("activations: several threads") {
  const Tensors inputs{drawn({53, 997}, 3)};
  for (const Activation f : {tanh, sigmoid, relu, relu_squared, gelu, gelu_erf, silu}) {
    CHECK_THREADS([f](const Tensors& x) { return f(x[0]); }, inputs);
  }
}

#ifdef GRADUS_DOUBLE

TEST_CASE("activations: gradients") {
  for (const Activation f : {tanh, sigmoid, relu_squared, gelu, gelu_erf, silu}) {
    check_gradient([f](const Tensors& x) { return tanh(f(x[0])) * x[0]; }, {{2, 3, 5}},
                   {.low = -4, .high = 4});
  }
  const Tensor away_from_0 = tensor({{-3, -0.5}, {0.25, 2}});
  check_gradient_at([](const Tensors& x) { return tanh(relu(x[0])) * x[0]; }, {away_from_0});
  check_second_gradient_at([](const Tensors& x) { return tanh(relu(x[0])) * x[0]; }, {away_from_0});
}

TEST_CASE("activations: gradients of gradients") {
  for (const Activation f : {tanh, sigmoid, relu_squared, gelu, gelu_erf, silu}) {
    check_second_gradient([f](const Tensors& x) { return pow(f(x[0]), 2) * x[0]; }, {{2, 3}});
  }
}

#endif

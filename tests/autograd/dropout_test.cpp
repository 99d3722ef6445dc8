#include "autograd/ops/dropout.h"

#include "autograd/inspect/gradcheck.h"
#include "autograd/kernels/dropout_mask.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;
using detail::DropoutMask;

namespace {

constexpr RandomKey kKey{.seed = 42, .step = 3, .place = 5};

}  // namespace

TEST_CASE("dropout: an element goes if its draw is below p 2^16") {
  const Tensor x = arange(1009) + 1;
  std::vector<std::int32_t> draws(1009);
  DropoutMask(kKey, 0).draw(0, 1009, draws.data());
  for (const Scalar p : {0.1, 0.25, 0.5, 0.9}) {
    const Tensor y = dropout(x, p, kKey);
    const auto threshold = static_cast<int>(std::round(static_cast<double>(p) * 65536));
    const Scalar scale = Scalar(65536) / static_cast<Scalar>(65536 - threshold);
    for (Index i = 0; i < x.size(); ++i) {
      CHECK(y.data()[i] == (draws[i] < threshold ? Scalar(0) : x.data()[i] * scale));
    }
  }
}

TEST_CASE("dropout: the first elements, for good") {
  // The dropped elements must never change: repeatable runs depend on them.
  const Tensor y = dropout(ones({12}), Scalar(0.5), {.seed = 1});
  CHECK(y.values() == Values{2, 0, 2, 2, 0, 0, 0, 2, 0, 2, 0, 2});
}

TEST_CASE("dropout: same key, same elements; another seed, step or place, others") {
  const Tensor x = ones({1009});
  const Values y = dropout(x, Scalar(0.5), kKey).values();
  CHECK(dropout(x, Scalar(0.5), kKey).values() == y);
  CHECK(dropout(reshape(x, {1009, 1}), Scalar(0.5), kKey).values() == y);
  CHECK(dropout(x, Scalar(0.5), {.seed = 43, .step = 3, .place = 5}).values() != y);
  CHECK(dropout(x, Scalar(0.5), {.seed = 42, .step = 4, .place = 5}).values() != y);
  CHECK(dropout(x, Scalar(0.5), {.seed = 42, .step = 3, .place = 6}).values() != y);
}

TEST_CASE("dropout: keeps the expectation") {
  const Index n = 200'003;
  for (const Scalar p : {0.1, 0.5, 0.8}) {
    const Tensor y = dropout(ones({n}), p, kKey);
    // The mean's standard deviation is sqrt(p / (1 - p) / n).
    const double deviation = std::sqrt(p / (1 - p) / n);
    CHECK(std::abs(mean(y).item() - 1) < 4 * deviation);
    const auto dropped = std::count(y.begin(), y.end(), Scalar(0));
    CHECK(std::abs(static_cast<double>(dropped) / n - p) < 4 * deviation);
  }
}

TEST_CASE("dropout: backward drops and scales the same elements") {
  const Tensor x = drawn({53, 19}, 0);
  const auto f = [](const Tensor& v) { return dropout(v, Scalar(0.3), kKey); };
  CHECK_CLOSE(gradient_of(f, x), dropout(ones({53, 19}), Scalar(0.3), kKey), 0);
  CHECK_CLOSE(gradient_of([&](const Tensor& v) { return f(v) * v; }, x), 2 * f(x));
}

TEST_CASE("dropout: with probability 0 it is x itself") {
  const Tensor x = drawn({2, 3}, 0);
  CHECK(dropout(x, 0, kKey).data() == x.data());
}

TEST_CASE("dropout: drops NaN and infinities, keeps shapes without elements") {
  const Tensor y = dropout(full({101}, kNaN), Scalar(0.5), kKey);
  CHECK(std::count(y.begin(), y.end(), Scalar(0)) > 30);
  CHECK(dropout(zeros({0, 3}), Scalar(0.5), kKey).shape() == Shape{0, 3});
  CHECK(dropout(scalar(2), Scalar(0.5), kKey).shape() == Shape());
}

TEST_CASE("dropout: refuses numbers outside of [0, 1)") {
  const Tensor x = zeros({2});
  CHECK_FAILS(dropout(x, 1, kKey), "dropout: the probability of dropping must be in [0, 1), got 1");
  CHECK_FAILS(dropout(x, Scalar(-0.5), kKey), "got -0.5");
  CHECK_FAILS(dropout(x, kNaN, kKey), "dropout: the probability");
}

TEST_CASE("dropout: the number of threads does not matter") {
  const Function f = [](const Tensors& x) { return dropout(x[0], Scalar(0.3), kKey); };
  CHECK_THREADS(f, {drawn({100'003}, 0)}, 0);
}

#ifdef GRADUS_DOUBLE

TEST_CASE("dropout: gradients of first and second order") {
  const TensorFunction f = [](const Tensors& x) { return tanh(dropout(x[0], 0.3, kKey)) * x[0]; };
  check_gradient(f, {{2, 3, 5}});
  check_second_gradient(f, {{2, 3, 5}});
}

#endif

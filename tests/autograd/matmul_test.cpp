#include "autograd/ops/matmul.h"

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

/// x with its last two axes swapped if `yes`.
Tensor swapped(const Tensor& x, bool yes) { return yes ? transpose(x) : x; }

/// The product a b of two matrices, from the definition.
Tensor by_definition(const Tensor& a, const Tensor& b) {
  Tensor y = zeros({a.size(0), b.size(1)});
  for (Index i = 0; i < a.size(0); ++i) {
    for (Index j = 0; j < b.size(1); ++j) {
      double total = 0;
      for (Index k = 0; k < a.size(1); ++k) {
        total += double{a.at({i, k})} * b.at({k, j});
      }
      y.mutable_data()[i * b.size(1) + j] = static_cast<Scalar>(total);
    }
  }
  return y;
}

}  // namespace

TEST_CASE("matmul: by hand") {
  const Tensor a = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor b = tensor({{7, 8}, {9, 10}, {11, 12}});
  CHECK(matmul(a, b).shape() == Shape{2, 2});
  CHECK(matmul(a, b).values() == Values{58, 64, 139, 154});
  CHECK(matmul(a, a, {.b = true}).values() == Values{14, 32, 32, 77});
  CHECK(matmul(a, a, {.a = true}).values() == Values{17, 22, 27, 22, 29, 36, 27, 36, 45});
  CHECK(matmul(b, a, {.a = true, .b = true}).values() == Values{58, 139, 64, 154});
}

TEST_CASE("matmul: gradients by hand") {
  const Tensor a = tensor({{1, 2}, {3, 4}}).set_requires_grad();
  const Tensor b = tensor({{5, 6}, {7, 8}}).set_requires_grad();
  backward(matmul(a, b), tensor({{1, 10}, {100, 1000}}));
  CHECK(a.grad().values() == Values{65, 87, 6500, 8700});
  CHECK(b.grad().values() == Values{301, 3010, 402, 4020});
  const Tensor x = tensor({{1, 2}, {3, 4}}).set_requires_grad();
  backward(matmul(x, x), tensor({{1, 0}, {0, 0}}));  // x00 x00 + x01 x10
  CHECK(x.grad().values() == Values{2, 3, 2, 0});
}

TEST_CASE("matmul: all four ways to transpose, with every way to broadcast batches") {
  const std::vector<std::pair<Shape, Shape>> pairs{
      {{}, {}},      {{2}, {2}},       {{2}, {}},        {{}, {2}},          {{2, 1}, {7}},
      {{1}, {7, 2}}, {{7, 2}, {7, 1}}, {{1, 2}, {7, 1}}, {{3, 1, 2}, {7, 1}}};
  for (const auto& batches : pairs) {
    const Shape a_batch = batches.first, b_batch = batches.second;
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        CAPTURE(text(a_batch, " ", b_batch, " ", ta, tb));
        const Tensor a = drawn(ta ? a_batch.append(5).append(3) : a_batch.append(3).append(5), 0);
        const Tensor b = drawn(tb ? b_batch.append(11).append(5) : b_batch.append(5).append(11), 1);
        const Function f = [=](const Tensors& x) { return tanh(matmul(x[0], x[1], {ta, tb})); };
        const Function g = [=](const Tensors& x) {  // a b as a sum over a broadcast product
          const Tensor p = swapped(x[0], ta), q = swapped(x[1], tb);
          const Shape left = p.shape().append(1);
          const Shape right = Shape(std::span(q.shape().begin(), q.shape().end() - 2))
                                  .append(1)
                                  .append(5)
                                  .append(11);
          return tanh(sum(reshape(p, left) * reshape(q, right), -2));
        };
        CHECK_SAME(f, g, {a, b});
      }
    }
  }
}

TEST_CASE("matmul: one factor used on both sides") {
  const Function f = [](const Tensors& x) { return tanh(matmul(x[0], x[0], {.b = true})); };
  const Function g = [](const Tensors& x) { return tanh(matmul(x[0], transpose(x[0]))); };
  CHECK_SAME(f, g, {drawn({2, 3, 5}, 2)});
}

TEST_CASE("matmul: sizes of 0 and 1") {
  CHECK(matmul(zeros({0, 3}), zeros({3, 5})).shape() == Shape{0, 5});
  CHECK(matmul(zeros({2, 3}), zeros({3, 0})).shape() == Shape{2, 0});
  CHECK(matmul(zeros({0, 2, 3}), zeros({3, 5})).shape() == Shape{0, 2, 5});
  CHECK(matmul(zeros({0, 2, 3}), zeros({0, 3, 5})).shape() == Shape{0, 2, 5});
  CHECK(matmul(tensor({{3}}), tensor({{5}})).values() == Values{15});
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const Tensor a = zeros(ta ? Shape{0, 2} : Shape{2, 0});
      const Tensor b = zeros(tb ? Shape{3, 0} : Shape{0, 3});
      CHECK(matmul(a, b, {ta, tb}).values() == Values(6, 0));
    }
  }
  CHECK(gradient_of(
            [](const Tensor& x) {
              return matmul(x, zeros({0, 3}));
            },
            zeros({2, 0}))
            .shape() == Shape{2, 0});
  CHECK(gradient_of(
            [](const Tensor& x) {
              return matmul(zeros({0, 2}), x);
            },
            ones({2, 3}))
            .values() == Values(6, 0));
}

TEST_CASE("matmul: an empty inner axis with batches gives zeros") {
  CHECK(matmul(zeros({2, 3, 0}), zeros({0, 5})).values() == Values(30, 0));
  CHECK(matmul(zeros({2, 3, 0}), zeros({2, 0, 5})).values() == Values(30, 0));
  CHECK(linear(zeros({2, 3, 0}), zeros({0, 5}), ones({5})).values() == Values(30, 1));
}

TEST_CASE("matmul: NaN and infinities reach their own row and column only") {
  const Tensor a = tensor({{1, kNaN}, {1, 1}});
  CHECK_CLOSE(matmul(a, ones({2, 3})), tensor({{kNaN, kNaN, kNaN}, {2, 2, 2}}));
  CHECK_CLOSE(matmul(tensor({{1, 2}}), tensor({{kInf, 1}, {1, 1}})), tensor({{kInf, 3}}));
  CHECK_CLOSE(matmul(tensor({{0, 2}}), tensor({{kNaN, 1}, {1, 1}})), tensor({{kNaN, 2}}));
}

TEST_CASE("linear: by hand, for rows of any shape") {
  const Tensor w = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor b = tensor({10, 20, 30});
  CHECK(linear(tensor({1, -1}), w).values() == Values{-3, -3, -3});
  CHECK(linear(tensor({1, -1}), w, b).shape() == Shape{3});
  CHECK(linear(tensor({{1, -1}, {0, 2}}), w, b).values() == Values{7, 17, 27, 18, 30, 42});
  CHECK(linear(zeros({7, 1, 5, 2}), w, b).shape() == Shape{7, 1, 5, 3});
  CHECK(linear(zeros({0, 2}), w, b).shape() == Shape{0, 3});
}

TEST_CASE("linear: equals matmul and addition") {
  const Function f = [](const Tensors& x) { return tanh(linear(x[0], x[1], x[2])); };
  const Function g = [](const Tensors& x) { return tanh(matmul(x[0], x[1]) + x[2]); };
  CHECK_SAME(f, g, {drawn({2, 3, 5}, 0), drawn({5, 7}, 1), drawn({7}, 2)});
  CHECK_SAME([](const Tensors& x) { return linear(x[0], x[1]); },
             [](const Tensors& x) { return matmul(x[0], x[1]); },
             {drawn({3, 5}, 0), drawn({5, 7}, 1)});
}

TEST_CASE("matmul and linear: sizes that do not fit are named") {
  CHECK_FAILS(matmul(zeros({2, 3}), zeros({4, 5})),
              "matmul: inner sizes must match, got a [2, 3] and b [4, 5]: 3 is not 4");
  CHECK_FAILS(matmul(zeros({2, 3}), zeros({2, 5}), {.b = true}),
              "got a [2, 3] and b [2, 5] transposed: 3 is not 5");
  CHECK_FAILS(matmul(zeros({2, 3}), zeros({3, 5}), {.a = true}),
              "got a [2, 3] transposed and b [3, 5]: 2 is not 3");
  CHECK_FAILS(matmul(zeros({3}), zeros({3, 5})), "matmul: needs at least two axes on both sides");
  CHECK_FAILS(matmul(zeros({2, 3}), scalar(1)), "reshape a vector to [1, n] or [n, 1]");
  CHECK_FAILS(matmul(zeros({2, 3, 5}), zeros({3, 5, 7})), "matmul: shapes must broadcast");
  CHECK_FAILS(linear(zeros({2, 3}), zeros({5, 7})),
              "linear: needs x [..., in] and w [in, out], got x [2, 3] and w [5, 7]");
  CHECK_FAILS(linear(scalar(1), zeros({5, 7})), "linear: needs x [..., in]");
  CHECK_FAILS(linear(zeros({2, 3}), zeros({3, 5}), zeros({3})),
              "linear: needs b [out], got w [3, 5] and b [3]");
}

TEST_CASE("matmul: large enough for several threads") {
  const Tensor a = drawn({131, 67}, 0), b = drawn({67, 257}, 1);
  for (const int threads : {1, 2, 3, 5}) {
    const ThreadScope scope(threads);
    CHECK_CLOSE(matmul(a, b), by_definition(a, b), kSameMaths);
    CHECK_CLOSE(matmul(b, a, {true, true}), transpose(by_definition(a, b)), kSameMaths);
  }
  const Function f = [](const Tensors& x) { return tanh(linear(x[0], x[1], x[2])); };
  CHECK_THREADS(f, {drawn({7, 31, 67}, 2), b, drawn({257}, 3)}, kIsDouble ? 1e-11 : 1e-4);
  const Function g = [](const Tensors& x) { return matmul(x[0], x[1], {.b = true}); };
  CHECK_THREADS(g, {drawn({7, 31, 67}, 4), drawn({7, 29, 67}, 5)}, kIsDouble ? 1e-11 : 1e-4);
}

#ifdef GRADUS_DOUBLE

TEST_CASE("matmul: gradients of first and second order") {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const TensorFunction f = [=](const Tensors& x) {
        return tanh(matmul(x[0], x[1], {ta, tb}) * Scalar(0.3)) * sum(x[0]);
      };
      const Shape a = ta ? Shape{5, 3} : Shape{3, 5};
      const Shape b = tb ? Shape{7, 5} : Shape{5, 7};
      const Shape batched_a = ta ? Shape{2, 1, 5, 3} : Shape{2, 1, 3, 5};
      const Shape batched_b = tb ? Shape{3, 2, 5} : Shape{3, 5, 2};
      check_gradient(f, {a, b});
      check_second_gradient(f, {a, b});
      check_gradient(f, {batched_a, batched_b});
      check_second_gradient(f, {batched_a, b});
    }
  }
}

TEST_CASE("linear: gradients of first and second order") {
  const TensorFunction f = [](const Tensors& x) {
    return tanh(linear(x[0], x[1], x[2]) * Scalar(0.3)) * sum(x[2]);
  };
  for (const Shape& shape : {Shape{5}, Shape{3, 5}, Shape{2, 3, 5}}) {
    check_gradient(f, {shape, {5, 7}, {7}});
    check_second_gradient(f, {shape, {5, 7}, {7}});
  }
  check_gradient([](const Tensors& x) { return tanh(linear(x[0], x[1])); }, {{3, 5}, {5, 2}});
}

#endif

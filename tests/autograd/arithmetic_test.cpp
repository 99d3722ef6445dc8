#include "autograd/ops/arithmetic.h"

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/one_pass.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;

TEST_CASE("arithmetic: by hand") {
  const Tensor a = tensor({{1, 2}, {3, 4}});
  const Tensor b = tensor({{5, 6}, {-2, 0.5}});
  CHECK((a + b).values() == Values{6, 8, 1, 4.5});
  CHECK((a - b).values() == Values{-4, -4, 5, 3.5});
  CHECK((a * b).values() == Values{5, 12, -6, 2});
  CHECK_CLOSE(a / b, tensor({{0.2, 1. / 3}, {-1.5, 8}}));
  CHECK((-a).values() == Values{-1, -2, -3, -4});
  CHECK((a + 2).values() == Values{3, 4, 5, 6});
  CHECK((2 + a).values() == Values{3, 4, 5, 6});
  CHECK((a - 2).values() == Values{-1, 0, 1, 2});
  CHECK((2 - a).values() == Values{1, 0, -1, -2});
  CHECK((a * 3).values() == Values{3, 6, 9, 12});
  CHECK((3 * a).values() == Values{3, 6, 9, 12});
  CHECK((a / 2).values() == Values{0.5, 1, 1.5, 2});
  CHECK((12 / a).values() == Values{12, 6, 4, 3});
  CHECK(abs(b).values() == Values{5, 6, 2, 0.5});
  CHECK(maximum(a, b).values() == Values{5, 6, 3, 4});
}

TEST_CASE("arithmetic: broadcasts to the common shape, repeating axes of size 1") {
  const Tensor row = tensor({10, 20, 30});
  const Tensor column = tensor({{1}, {2}});
  const Tensor table = column + row;
  CHECK(table.shape() == Shape{2, 3});
  CHECK(table.values() == Values{11, 21, 31, 12, 22, 32});
  CHECK((scalar(5) - row).values() == Values{-5, -15, -25});
  const Tensor x = reshape(arange(30), {2, 3, 5});
  const Tensor y = x * tensor({{1}, {10}, {100}});
  CHECK(y.shape() == Shape{2, 3, 5});
  for (Index i = 0; i < 30; ++i) {
    CHECK(y.data()[i] == static_cast<Scalar>(i * (i / 5 % 3 == 0 ? 1 : i / 5 % 3 == 1 ? 10 : 100)));
  }
  const Tensor z = reshape(x, {2, 1, 3, 1, 5}) + reshape(arange(14), {7, 1, 2, 1});
  CHECK(z.shape() == Shape{2, 7, 3, 2, 5});
  CHECK(z.at({1, 6, 2, 1, 3}) == x.at({1, 2, 3}) + 13);
  CHECK(z.at({0, 4, 1, 0, 4}) == x.at({0, 1, 4}) + 8);
}

TEST_CASE("arithmetic: broadcasts with short rows, against a loop") {
  const Shape out{67, 3, 11};
  const auto spread = [&](const Tensor& x) {  // x broadcast to `out`, element by element
    Tensor y(out);
    for (Index i = 0; i < out.size(); ++i) {
      Index at = 0, step = 1, rest = i;
      for (int back = 1; back <= x.rank(); ++back) {
        at += x.size(-back) == 1 ? 0 : rest % out[-back] * step;
        step *= x.size(-back);
        rest /= out[-back];
      }
      y.mutable_data()[i] = x.data()[at];
    }
    return y;
  };
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    for (const Shape& shape : {Shape{11}, Shape{3, 11}, Shape{3, 1}, Shape{67, 1, 11},
                               Shape{67, 3, 1}, Shape{67, 1, 1}, Shape{1, 1, 1}, Shape{}}) {
      CAPTURE(shape);
      const Tensor x = drawn(out, 0), y = drawn(shape, 1), other = drawn({67, 1, 1}, 2);
      CHECK((x - y).values() == (x - spread(y)).values());
      CHECK((y - x).values() == (spread(y) - x).values());
      CHECK(broadcast_to(y, out).values() == spread(y).values());
      const Tensor both = broadcast_to(other - y, out);
      CHECK(both.values() == (spread(other) - spread(y)).values());
    }
  }
}

TEST_CASE("arithmetic: gradients of broadcast arguments are summed back") {
  const Tensor w = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor row = tensor({10, 20, 30}).set_requires_grad();
  const Tensor column = tensor({{1}, {2}}).set_requires_grad();
  backward(column * row, w);
  CHECK(row.grad().values() == Values{9, 12, 15});
  CHECK(column.grad().values() == Values{140, 320});
  const Tensor s = scalar(2).set_requires_grad();
  backward(row.detach() - s, tensor({1, 2, 4}));
  CHECK(s.grad().shape() == Shape());
  CHECK(s.grad().item() == -7);
}

TEST_CASE("arithmetic: an argument used twice collects both gradients") {
  const Tensor x = tensor({3, -2}).set_requires_grad();
  backward(sum(x * x + x / x - (x - x)));
  CHECK(x.grad().values() == Values{6, -4});
}

TEST_CASE("pow: by hand and at its edges") {
  const Tensor x = tensor({-2, 0, 4});
  CHECK(pow(x, 2).values() == Values{4, 0, 16});
  CHECK(pow(x, 3).values() == Values{-8, 0, 64});
  CHECK(pow(x, 0).values() == Values{1, 1, 1});
  CHECK(pow(x, 1).values() == x.values());
  CHECK(pow(tensor({4, 0.25}), -0.5).values() == Values{0.5, 2});
  CHECK_CLOSE(pow(x, 0.5), tensor({kNaN, 0, 2}));
  CHECK(pow(scalar(0), -1).item() == kInf);
  const auto slope = [&](Scalar exponent) {
    return gradient_of([=](const Tensor& v) { return pow(v, exponent); }, x).values();
  };
  CHECK(slope(2) == Values{-4, 0, 8});
  CHECK(slope(3) == Values{12, 0, 48});
  CHECK(slope(1) == Values{1, 1, 1});
  CHECK(slope(0) == Values{0, 0, 0});
}

TEST_CASE("pow: the second and third derivative of a square at 0 are 2 and 0") {
  const Tensor x = tensor({0, 3}).set_requires_grad();
  const Tensor d1 = grad({sum(pow(x, 2))}, {x}, {.create_graph = true})[0];
  const Tensor d2 = grad({sum(d1 + x * x * x)}, {x}, {.create_graph = true})[0];
  CHECK(d2.values() == Values{2, 29});
  CHECK(grad({sum(d2)}, {x})[0].values() == Values{0, 18});
}

TEST_CASE("maximum: an infinite gradient goes to the larger alone, to both at a tie") {
  Tensor a = tensor({1, 2, 2}).set_requires_grad();
  Tensor b = tensor({2, 1, 2}).set_requires_grad();
  backward(maximum(a, b), full({3}, kInf));
  CHECK(a.grad().values() == Values{0, kInf, kInf});
  CHECK(b.grad().values() == Values{kInf, 0, kInf});
}

TEST_CASE("abs and maximum: gradients at ties") {
  const Tensor x = tensor({-3, 0, 2});
  const Tensor w = tensor({5, 7, 11});
  CHECK(gradient_of([](const Tensor& v) { return abs(v); }, x, w).values() == Values{-5, 0, 11});
  const Tensor a = tensor({1, 2, 3}).set_requires_grad();
  const Tensor b = tensor({2, 2, 2}).set_requires_grad();
  backward(maximum(a, b), tensor({5, 7, 11}));
  CHECK(a.grad().values() == Values{0, 3.5, 11});
  CHECK(b.grad().values() == Values{5, 3.5, 0});
}

TEST_CASE("arithmetic: NaN, infinities and signed zeros pass as in the arithmetic of the machine") {
  const Tensor odd = tensor({kNaN, kInf, -kInf, 0});
  CHECK_CLOSE(odd + 1, tensor({kNaN, kInf, -kInf, 1}));
  CHECK_CLOSE(odd * 0, tensor({kNaN, kNaN, kNaN, 0}));
  CHECK_CLOSE(1 / odd, tensor({kNaN, 0, 0, kInf}));
  CHECK_CLOSE(odd / odd, tensor({kNaN, kNaN, kNaN, kNaN}));
  CHECK_CLOSE(abs(odd), tensor({kNaN, kInf, kInf, 0}));
  CHECK(std::signbit((-tensor({0.0})).item()));
  CHECK_CLOSE(maximum(odd, scalar(1)), tensor({kNaN, kInf, 1, 1}));
  CHECK_CLOSE(maximum(scalar(1), odd), tensor({kNaN, kInf, 1, 1}));
}

TEST_CASE("arithmetic: sizes 0 and 1") {
  CHECK((zeros({0, 3}) + zeros({3})).shape() == Shape{0, 3});
  CHECK((zeros({0, 1}) * zeros({3})).shape() == Shape{0, 3});
  CHECK((zeros({0}) / ones({1})).shape() == Shape{0});
  CHECK((zeros({2, 0}) - ones({2, 1})).shape() == Shape{2, 0});
  CHECK((scalar(2) * tensor({{3}})).shape() == Shape{1, 1});
  CHECK(maximum(zeros({5, 0, 3}), scalar(1)).shape() == Shape{5, 0, 3});
  const Tensor row = tensor({1, 2, 3}).set_requires_grad();
  backward(sum(zeros({0, 3}) * row));
  CHECK(row.grad().values() == Values{0, 0, 0});
}

TEST_CASE("arithmetic: shapes that do not broadcast are named") {
  const Tensor a = zeros({2, 3}), b = zeros({2, 5});
  CHECK_FAILS(a + b,
              "add: shapes must broadcast, got [2, 3] and [2, 5]: 3 is neither 5 nor 1 at axis -1");
  CHECK_FAILS(a - b, "sub: shapes must broadcast, got [2, 3] and [2, 5]");
  CHECK_FAILS(a * b, "mul: shapes must broadcast, got [2, 3] and [2, 5]");
  CHECK_FAILS(a / b, "div: shapes must broadcast, got [2, 3] and [2, 5]");
  CHECK_FAILS(maximum(b, a), "maximum: shapes must broadcast, got [2, 5] and [2, 3]");
  CHECK_FAILS(a + zeros({3, 1, 5}), "at axis -1");
  CHECK_FAILS(zeros({3, 2, 5}) + zeros({2, 2, 5}), "3 is neither 2 nor 1 at axis -3");
}

TEST_CASE("arithmetic: large enough for several threads, broadcast every way") {
  const Function f = [](const Tensors& x) {
    return (x[0] + x[1]) * x[2] / (x[3] * x[3] + 1) - x[0];
  };
  CHECK_THREADS(f, {drawn({31, 17, 101}, 0), drawn({17, 1}, 1), drawn({101}, 2), drawn({}, 3)});
  const Function flat = [](const Tensors& x) { return maximum(abs(x[0]), pow(x[1], 2)); };
  CHECK_THREADS(flat, {drawn({50021}, 4), drawn({50021}, 5)});
}

#ifdef GRADUS_DOUBLE

TEST_CASE("arithmetic: gradients of first and second order") {
  // tanh follows each op, and the first argument is used again.
  const auto both = [](const TensorFunction& op, const std::vector<Shape>& shapes) {
    const TensorFunction f = [op](const Tensors& x) { return tanh(op(x)) * x[0]; };
    check_gradient(f, shapes, {.low = 0.5});
    check_second_gradient(f, shapes, {.low = 0.5});
  };
  const std::vector<std::vector<Shape>> pairs{
      {{2, 3}, {2, 3}}, {{2, 3, 5}, {3, 1}}, {{2, 1, 5}, {3, 1}}, {{}, {3, 5}}, {{3}, {}}};
  for (const std::vector<Shape>& shapes : pairs) {
    both([](const Tensors& x) { return x[0] + x[1]; }, shapes);
    both([](const Tensors& x) { return x[0] - x[1]; }, shapes);
    both([](const Tensors& x) { return x[0] * x[1]; }, shapes);
    both([](const Tensors& x) { return x[0] / x[1]; }, shapes);
    both([](const Tensors& x) { return maximum(x[0], x[1]); }, shapes);
  }
  const std::vector<Shape> one{{2, 3}};
  both([](const Tensors& x) { return 3 - x[0] * 2; }, one);
  both([](const Tensors& x) { return (x[0] + 1) / 3 - 2; }, one);
  both([](const Tensors& x) { return 3 / x[0]; }, one);
  both([](const Tensors& x) { return -x[0]; }, one);
  both([](const Tensors& x) { return pow(x[0], 2); }, one);
  both([](const Tensors& x) { return pow(x[0], -1.5); }, one);
  both([](const Tensors& x) { return pow(x[0], 1); }, one);
}

TEST_CASE("arithmetic: gradients where signs differ") {
  const Tensor x = tensor({-1.5, -0.25, 0.75, 3});
  check_gradient_at([](const Tensors& v) { return tanh(abs(v[0])) * v[0]; }, {x});
  check_second_gradient_at([](const Tensors& v) { return tanh(abs(v[0])) * v[0]; }, {x});
  check_gradient_at([](const Tensors& v) { return tanh(pow(v[0], 3)); }, {x});
  check_gradient_at([](const Tensors& v) { return maximum(v[0], v[1]) * v[1]; },
                    {x, tensor({{-1}, {1}})});
}

#endif

TEST_CASE("add_in_place, one_pass, by_case: tensors of two shapes are refused") {
  Tensor a = zeros({1000, 1000});
  CHECK_THROWS_WITH_AS(detail::add_in_place(a, ones({1})),
                       "add_in_place: needs one shape, got [1000, 1000] and [1]",
                       std::invalid_argument);
  const auto product = [](auto dy, auto v) { return dy * v; };
  CHECK_THROWS_WITH_AS(one_pass(a, ones({1}), product),
                       "one_pass: needs one shape, got [1000, 1000] and [1]",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(by_case("mine", a, ones({1}), product),
                       "mine: needs one shape, got [1000, 1000] and [1]", std::invalid_argument);
}

TEST_CASE("pow: to the 0th, the gradient is 0 whatever arrives") {
  const Tensor x = tensor({0, 2}).set_requires_grad();
  backward(pow(x, 0), tensor({kInf, kNaN}));
  CHECK(x.grad().values() == Values{0, 0});
}

#include "tutorials/common/check.h"

#include <random>

#include "pocket/graph.h"

using gradus::green, gradus::red;
using namespace pocket;

namespace {

int closures_called = 0;

Tensor times(const Tensor& a, const Tensor& b) {
  return elementwise("times", a, b, std::multiplies<Scalar>());
}

// Ops with their gradients, for equal shapes.
Tensor add(const Tensor& a, const Tensor& b) {
  const Tensor y = elementwise("add", a, b, std::plus<Scalar>());
  return record("add", y, {a, b}, [](const Tensor& dy) -> Gradients {
    return ++closures_called, Gradients{dy, dy};
  });
}
Tensor mul(const Tensor& a, const Tensor& b) {
  return record("mul", times(a, b), {a, b}, [=](const Tensor& dy) -> Gradients {
    return ++closures_called, Gradients{times(dy, b), times(dy, a)};
  });
}

Tensor leaf(const std::vector<Scalar>& values) {
  return tensor({std::ssize(values)}, values).set_requires_grad();
}

Tensor two(Scalar a, Scalar b) { return tensor({2}, {a, b}); }

void same(const std::string& what, const Tensor& got, const Tensor& right) {
  gradus::expect(what, gradus::as_library(got), gradus::as_library(right));
}

void shared() {
  const Tensor a = leaf({1, 3}), b = leaf({2, 4}), c = leaf({5, 6}), sum = add(a, b);
  const Tensor y = add(add(sum, a), c), dy = two(1, 10);
  backward(y, dy);
  same("add hands one tensor to both inputs: dc", c.grad(), two(1, 10));
  same("add hands one tensor to both inputs: db", b.grad(), two(1, 10));
  same("add hands one tensor to both inputs: da", a.grad(), two(2, 20));
  same("the gradient that backward() was given", dy, two(1, 10));
}

void tower() {
  const Tensor a = leaf({1, 1}), half = two(0.5, 0.5);
  Tensor p = a;
  for (int i = 0; i < 22; ++i) p = mul(half, add(p, p));
  closures_called = 0;
  backward(p, two(1, 7));
  same("a tower of 22 sums", a.grad(), two(1, 7));
  if (closures_called != 44) red("44 nodes, and closures ran ", closures_called, " times");
}

/// The gradient has the input's shape here, and not the result's.
void other_shapes() {
  const Tensor a = leaf({1, 3, -2});
  const Tensor total = record("total", scalar(2), {a},
                              [](const Tensor& dy) -> Gradients { return {full({3}, dy.item())}; });
  backward(add(total, total), scalar(5));
  same("a sum of [3], which is []: the gradient", a.grad(), full({3}, 10));

  const Tensor row = leaf({1, 2, 3}), column = ones({2, 1}).set_requires_grad();
  const Tensor table = elementwise("plus", row, column, std::plus<Scalar>());
  const Tensor y = record("plus", table, {row, column}, [](const Tensor& dy) -> Gradients {
    const Scalar* g = dy.data();
    return {tensor({3}, {g[0] + g[3], g[1] + g[4], g[2] + g[5]}),
            tensor({2, 1}, {g[0] + g[1] + g[2], g[3] + g[4] + g[5]})};
  });
  backward(y, tensor({2, 3}, {1, 2, 3, 10, 20, 30}));
  same("[3] plus [2, 1]: the gradient of [3]", row.grad(), tensor({3}, {11, 22, 33}));
  same("[3] plus [2, 1]: the gradient of [2, 1]", column.grad(), tensor({2, 1}, {6, 60}));
}

Tensor careless(const Tensor& a, const Shape& shape, const Shape& result) {
  return record("careless", zeros(result), {a},
                [=](const Tensor&) -> Gradients { return {ones(shape)}; });
}

void must_name_the_op(const Tensor& y, const std::string& when) {
  const auto said = gradus::refusal([&] { backward(y, ones(y.shape())); });
  if (!said) red(when, " went unnoticed: check it, and name the op");
  if (said->find("careless") == said->npos) red("the error does not name the op: ", *said);
}

void wrong_shape() {
  const Tensor a = leaf({1, 3}), matrix = ones({2, 3}).set_requires_grad();
  const std::string turned = "a wrong shape with the right number of elements";
  must_name_the_op(careless(a, {2, 2}, {2}), "an op whose gradient has a wrong shape");
  must_name_the_op(careless(a, {2, 1}, {2}), turned);
  must_name_the_op(careless(a, {1, 2}, {2}), turned);
  must_name_the_op(careless(matrix, {3, 2}, {2, 3}), turned);
  must_name_the_op(careless(a, {}, {}), "a gradient of the result's shape, [] for an input of [2]");
  must_name_the_op(careless(a, {3, 2}, {3, 2}),
                   "a gradient of the result's shape, [3, 2] for an input of [2]");
  must_name_the_op(careless(scalar(3).set_requires_grad(), {1}, {}),
                   "a gradient of [1] for an input of []");
  const Tensor older = careless(a, {2, 2}, {2}), newer = add(a, a);  // newer ones are first
  must_name_the_op(add(older, newer), "a wrong shape that was not the first to arrive");
  must_name_the_op(careless(add(a, a), {2, 2}, {2}), "a wrong shape for a node that is no leaf");
  green("a gradient of a wrong shape is an error");
}

void unusual_numbers() {
  for (const Scalar g : {Scalar(3e8), Scalar(1e-20), Scalar(NAN), Scalar(INFINITY)}) {
    const Tensor a = leaf({1, 3}), b = leaf({2, -1});
    backward(mul(a, b), two(g, 1));
    const Scalar got = a.grad().defined() ? a.grad().data()[0] : 0;
    if (got == 2 * g || (std::isnan(g) && std::isnan(got))) continue;
    red("a gradient of ", g, " was changed or lost: it must arrive, or nobody learns of an error");
  }
  green("large gradients, small ones, NaN and infinity arrive");
}

void random_graphs() {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    std::vector<Tensor> nodes = {leaf({1, 2}), leaf({-1, 0.5})};
    std::vector<Tensor> by_first = {ones({2}), zeros({2})};  // slopes by leaf 0, forward
    for (int i = 0; i < 8; ++i) {
      const std::size_t p = random() % nodes.size(), q = random() % nodes.size();
      const Tensor a = nodes[p], b = nodes[q], da = by_first[p], db = by_first[q];
      const bool sum = random() % 2 == 0;
      nodes.push_back(sum ? add(a, b) : mul(a, b));
      by_first.push_back(sum ? add(da, db) : add(times(da, b), times(a, db)));
    }
    backward(nodes.back(), two(1, 1));
    const Tensor got = nodes[0].grad(), right = by_first.back();
    for (Index k = 0; k < 2; ++k) {
      gradus::expect_number(gradus::detail::text("random graph ", seed),
                            got.defined() ? double{got.data()[k]} : 0, right.data()[k], 1e-4);
    }
  }
  green("60 random graphs");
}

}  // namespace

CHECK_ANSWER() {
  const Tensor a = leaf({1, 3}), b = leaf({2, -1}), s = add(a, b), t = add(s, b);
  backward(mul(s, t), two(1, 1));  // in the first element as in chapter 03
  same("the diamond of chapter 03, da", a.grad(), two(8, 3));
  same("the diamond of chapter 03, db", b.grad(), two(11, 5));
  const Tensor one = leaf({1, 3}), third = leaf({5, 6});
  backward(mul(two(2, 4), one), two(1, 10));
  same("an input that needs no gradient", one.grad(), two(2, 40));
  const auto of_three = [](const Tensor& dy) { return Gradients{dy, dy, times(dy, two(2, 3))}; };
  backward(record("three", two(9, 12), {two(1, 2), two(3, 4), third}, of_three), two(1, 10));
  same("the third of three inputs", third.grad(), two(2, 30));
  shared();
  const Tensor users = ones({2, 3}).set_requires_grad(), twice = add(users, users);
  backward(add(twice, users), ones({2, 3}));
  same("a matrix with three users", users.grad(), full({2, 3}, 3));
  tower();
  green("each closure runs once");
  other_shapes();
  wrong_shape();
  unusual_numbers();
  random_graphs();
}

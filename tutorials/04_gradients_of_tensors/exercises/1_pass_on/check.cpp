#include "tutorials/common/check.h"

#include <random>

#include "pocket/graph.h"

using pocket::Gradients, pocket::Index, pocket::Scalar, pocket::Tensor;

namespace {

int closures_called = 0;

Tensor times(const Tensor& a, const Tensor& b) {
  return pocket::elementwise("times", a, b, std::multiplies<Scalar>());
}

// Ops with their gradients, for equal shapes.
Tensor add(const Tensor& a, const Tensor& b) {
  const Tensor y = pocket::elementwise("add", a, b, std::plus<Scalar>());
  return pocket::record("add", y, {a, b}, [](const Tensor& dy) -> Gradients {
    ++closures_called;
    return {dy, dy};
  });
}
Tensor mul(const Tensor& a, const Tensor& b) {
  return pocket::record("mul", times(a, b), {a, b}, [=](const Tensor& dy) -> Gradients {
    ++closures_called;
    return {times(dy, b), times(dy, a)};
  });
}

Tensor leaf(const std::vector<Scalar>& values) {
  return pocket::tensor({static_cast<Index>(values.size())}, values).set_requires_grad();
}

void same(const std::string& what, const Tensor& got, const Tensor& right) {
  if (!got.defined()) gradus::red(what + ": nothing arrived");
  const gradus::Tensor mine = gradus::as_library(got), ours = gradus::as_library(right);
  if (!gradus::is_close(mine, ours)) gradus::expect(what, mine, ours);
}

Tensor two(Scalar a, Scalar b) { return pocket::tensor({2}, {a, b}); }

void diamond() {
  const Tensor a = leaf({1, 3}), b = leaf({2, -1}), s = add(a, b), t = add(s, b), y = mul(s, t);
  backward(y, two(1, 1));
  // a = 1, b = 2 in the first element, as in chapter 03; 2a + 3b and 3a + 4b.
  same("the diamond of chapter 03, da", a.grad(), two(8, 3));
  same("the diamond of chapter 03, db", b.grad(), two(11, 5));
}

void constants() {
  const Tensor a = leaf({1, 3}), b = two(2, 4);
  backward(mul(b, a), two(1, 10));
  same("an input that needs no gradient", a.grad(), two(2, 40));
}

void three_inputs() {
  const Tensor a = two(1, 2), b = two(3, 4), c = leaf({5, 6});
  const Tensor y =
      pocket::record("three", two(9, 12), {a, b, c}, [](const Tensor& dy) -> Gradients {
        return {dy, dy, times(dy, two(2, 3))};
      });
  backward(y, two(1, 10));
  same("the third of three inputs", c.grad(), two(2, 30));
}

void matrices() {
  const Tensor a = pocket::ones({2, 3}).set_requires_grad(), s = add(a, a);
  backward(add(s, a), pocket::ones({2, 3}));
  same("a matrix with three users", a.grad(), pocket::full({2, 3}, 3));
}

void shared() {
  const Tensor a = leaf({1, 3}), b = leaf({2, 4}), c = leaf({5, 6}), sum = add(a, b);
  const Tensor y = add(add(sum, a), c);
  const Tensor dy = two(1, 10);
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
  if (closures_called != 44) {
    gradus::red("44 nodes, and closures ran " + std::to_string(closures_called) + " times");
  }
}

/// The gradient has the input's shape here, and not the result's.
void other_shapes() {
  const auto pass = [](const std::string& what, const Tensor& y, const Tensor& dy) {
    try {
      backward(y, dy);
    } catch (const std::invalid_argument& error) {
      gradus::red(
          what + ": the library says: " + error.what() +
          "\nlikely cause: a gradient has the shape of its input, not of the node's result");
    }
  };
  const Tensor a = leaf({1, 3, -2});
  const Tensor total =
      pocket::record("total", pocket::scalar(2), {a},
                     [](const Tensor& dy) -> Gradients { return {pocket::full({3}, dy.item())}; });
  pass("a sum of [3], which is []", add(total, total), pocket::scalar(5));
  same("a sum of [3], which is []: the gradient", a.grad(), pocket::full({3}, 10));

  const Tensor row = leaf({1, 2, 3}), column = pocket::ones({2, 1}).set_requires_grad();
  const Tensor table = pocket::elementwise("plus", row, column, std::plus<Scalar>());
  const Tensor y = pocket::record("plus", table, {row, column}, [](const Tensor& dy) -> Gradients {
    const Scalar* g = dy.data();
    return {pocket::tensor({3}, {g[0] + g[3], g[1] + g[4], g[2] + g[5]}),
            pocket::tensor({2, 1}, {g[0] + g[1] + g[2], g[3] + g[4] + g[5]})};
  });
  pass("[3] plus [2, 1], which is [2, 3]", y, pocket::tensor({2, 3}, {1, 2, 3, 10, 20, 30}));
  same("[3] plus [2, 1]: the gradient of [3]", row.grad(), pocket::tensor({3}, {11, 22, 33}));
  same("[3] plus [2, 1]: the gradient of [2, 1]", column.grad(), pocket::tensor({2, 1}, {6, 60}));
}

Tensor careless(const Tensor& a, const pocket::Shape& shape, const pocket::Shape& result) {
  return pocket::record("careless", pocket::zeros(result), {a},
                        [=](const Tensor&) -> Gradients { return {pocket::ones(shape)}; });
}
Tensor careless(const Tensor& a, const pocket::Shape& shape) {
  return careless(a, shape, a.shape());
}

void must_name_the_op(const Tensor& y, const std::string& when) {
  try {
    backward(y, pocket::ones(y.shape()));
  } catch (const std::invalid_argument& error) {
    if (std::string(error.what()).find("careless") != std::string::npos) return;
    gradus::red(std::string("the error does not name the op: ") + error.what());
  }
  gradus::red(when + " went unnoticed: check it, and name the op");
}

void wrong_shape() {
  const Tensor a = leaf({1, 3}), matrix = pocket::ones({2, 3}).set_requires_grad();
  must_name_the_op(careless(a, {2, 2}), "an op whose gradient has a wrong shape");
  for (const pocket::Shape& shape : {pocket::Shape{2, 1}, {1, 2}}) {
    must_name_the_op(careless(a, shape), "a wrong shape with the right number of elements");
  }
  must_name_the_op(careless(matrix, {3, 2}), "a wrong shape with the right number of elements");
  must_name_the_op(careless(a, {}, {}), "a gradient of the result's shape, [] for an input of [2]");
  must_name_the_op(careless(a, {3, 2}, {3, 2}),
                   "a gradient of the result's shape, [3, 2] for an input of [2]");
  const Tensor older = careless(a, {2, 2}), newer = add(a, a);  // newer ones have their turn first
  must_name_the_op(add(older, newer), "a wrong shape that was not the first to arrive");
  must_name_the_op(careless(add(a, a), {2, 2}), "a wrong shape for a node that is no leaf");
}

void unusual_numbers() {
  for (const Scalar g : {Scalar(3e8), Scalar(1e-20)}) {
    const Tensor a = leaf({1, 3}), b = leaf({2, -1});
    backward(mul(a, b), two(g, -g));
    const Tensor got = a.grad();
    if (!got.defined() || got.data()[0] != 2 * g || got.data()[1] != g) {
      gradus::red("a gradient of " + std::to_string(g) + " was changed or lost");
    }
  }
  const Tensor a = leaf({1, 3}), b = leaf({2, -1});
  backward(mul(a, b), two(NAN, 1));
  if (!a.grad().defined() || !std::isnan(a.grad().data()[0])) {
    gradus::red("a gradient of NaN was lost: it must arrive, or nobody learns of the error");
  }
  gradus::green("large gradients, small ones and NaN arrive");
}

void random_graphs() {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    std::vector<Tensor> nodes = {leaf({1, 2}), leaf({-1, 0.5})};
    std::vector<std::vector<double>> by_first = {{1, 1}, {0, 0}};  // slopes by leaf 0, forward
    for (int i = 0; i < 8; ++i) {
      const std::size_t p = random() % nodes.size(), q = random() % nodes.size();
      const Tensor a = nodes[p], b = nodes[q];
      const bool sum = random() % 2 == 0;
      std::vector<double> slope;
      for (std::size_t k = 0; k < 2; ++k) {
        slope.push_back(sum ? by_first[p][k] + by_first[q][k]
                            : by_first[p][k] * b.data()[k] + a.data()[k] * by_first[q][k]);
      }
      nodes.push_back(sum ? add(a, b) : mul(a, b));
      by_first.push_back(slope);
    }
    backward(nodes.back(), two(1, 1));
    const Tensor got = nodes[0].grad();
    for (Index k = 0; k < 2; ++k) {
      const double wanted = by_first.back()[static_cast<std::size_t>(k)];
      const double has = got.defined() ? got.data()[k] : 0;
      if (!(std::abs(has - wanted) <= 1e-4 * std::max(1.0, std::abs(wanted)))) {
        gradus::red("random graph " + std::to_string(seed) + ": got " + std::to_string(has) +
                    ", expected " + std::to_string(wanted));
      }
    }
  }
  gradus::green("60 random graphs");
}

}  // namespace

int main() {
  return gradus::run_check([] {
    diamond();
    gradus::green("the diamond of chapter 03");
    constants();
    three_inputs();
    gradus::green("inputs that need no gradient, and three inputs");
    shared();
    gradus::green("one tensor for both inputs: none is changed");
    matrices();
    gradus::green("a matrix with three users");
    tower();
    gradus::green("a tower of 22 sums: each closure runs once");
    other_shapes();
    gradus::green("ops whose result has another shape than their inputs");
    wrong_shape();
    gradus::green("a gradient of a wrong shape is an error");
    unusual_numbers();
    random_graphs();
  });
}

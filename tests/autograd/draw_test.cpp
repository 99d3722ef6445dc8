#include "autograd/inspect/draw.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"

using namespace gradus;

TEST_CASE("draw: leaves, ops, shapes and arrows") {
  const Tensor x = ones({2, 3}).set_requires_grad();
  const Tensor w = ones({3, 5}).set_requires_grad();
  const Tensor y = matmul(x, w) * 2;
  CHECK(draw_graph(y, {{"x", x}, {"loss", y}}) ==
        "digraph {\n"
        "  node [fontname=\"Helvetica\"];\n"
        "  n0 [shape=box, label=\"x\\n[2, 3]\"];\n"
        "  n1 [shape=box, label=\"[3, 5]\"];\n"
        "  n2 [shape=ellipse, label=\"matmul\\n[2, 5]\"];\n"
        "  n0 -> n2;\n"
        "  n1 -> n2;\n"
        "  n3 [shape=ellipse, peripheries=2, label=\"loss\\nmul\\n[2, 5]\"];\n"
        "  n2 -> n3;\n"
        "}\n");
  CHECK(draw_graph(y) == draw_graph(y));
}

TEST_CASE("draw: an input used twice, and one node used by two") {
  const Tensor x = scalar(3).set_requires_grad();
  const Tensor square = x * x;
  const std::string dot = draw_graph(square + square * x * tensor({1, 2}));
  CHECK(dot.find("  n0 -> n1;\n  n0 -> n1;\n") != std::string::npos);  // x * x
  CHECK(dot.find("n5") == std::string::npos);  // x, x^2, x^3, times a constant, the sum
  const std::string node = "n1 [";
  CHECK(dot.find(node) == dot.rfind(node));
}

TEST_CASE("draw: names cannot break out of their quotes") {
  const Tensor x = scalar(1).set_requires_grad();
  const std::string dot = draw_graph(x, {{"a\"b\\c\nd\x01", x}, {"none", Tensor()}});
  CHECK(dot.find("label=\"a\\\"b\\\\c\\nd\\n[]\"") != std::string::npos);
}

TEST_CASE("draw: deep graphs") {
  Tensor y = scalar(1).set_requires_grad();
  for (int i = 0; i < 200'000; ++i) {
    y = y + 1;
  }
  CHECK(draw_graph(y).find("n199999 -> n200000;") != std::string::npos);
}

TEST_CASE("draw: refuses a tensor without a graph") {
  CHECK_THROWS_WITH_AS(draw_graph(scalar(1)),
                       doctest::Contains("draw_graph: the tensor has no graph"),
                       std::invalid_argument);
  CHECK_THROWS_AS(draw_graph(Tensor()), std::invalid_argument);
  const Tensor x = scalar(1).set_requires_grad();
  const Tensor y = x * x;
  backward(y);
  CHECK_THROWS_WITH_AS(draw_graph(y), doctest::Contains("mul of shape [] was freed by backward()"),
                       std::invalid_argument);
}

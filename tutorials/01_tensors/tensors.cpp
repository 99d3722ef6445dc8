// Chapter 01: tensors, from a row of numbers to broadcasting, and what copies and what does not.
// [smallest]
#include <iostream>

#include "autograd/ops/elementwise.h"
#include "autograd/tensor.h"

using namespace gradus;

void smallest() {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor y = x + tensor({10, 20, 30});
  std::cout << y.shape() << "\n" << y << "\n";
}
// [smallest]

// What the rest of the chapter needs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "autograd/kernels/parallel_for.h"
#include "autograd/more/views.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"
#include "tutorials/common/time.h"

namespace {

/// What the chapter relies on: says so, or ends the program.
void must(const char* what, bool holds) {
  std::printf("%s: %s\n", what, holds ? "yes" : "NO");
  if (!holds) std::exit(1);
}

}  // namespace

// Where the element of three indices lies.
void in_a_row() {
  const Part part("in_a_row");
  // [in_a_row]
  const Tensor x = reshape(arange(24), {2, 3, 4});
  const Index b = 1, t = 2, c = 1;  // text, word, number
  const Index offset = b * (3 * 4) + t * 4 + c;
  const Scalar* first = x.data();
  const Scalar* wanted = first + offset;
  // [in_a_row]
  std::cout << x << "\n";
  std::printf("x[1, 2, 1] is %g, and at offset %d there is %g, %d bytes after the first\n",
              double{x.at({b, t, c})}, static_cast<int>(offset), double{*wanted},
              static_cast<int>(offset * static_cast<Index>(sizeof(Scalar))));
  std::vector<std::string> names;
  std::vector<std::vector<Cell>> cells;
  for (int text = 0; text < 2; ++text) {
    if (text == 1) names.push_back(""), cells.emplace_back();
    names.insert(names.end(), {"text", "word", "number", "offset"});
    std::vector<Cell> texts, tokens, channels, offsets;
    for (int i = 0; i < 12; ++i) {
      texts.push_back({std::to_string(text), text});
      tokens.push_back({std::to_string(i / 4), i / 4});
      channels.push_back({std::to_string(i % 4), i % 4});
      offsets.push_back({std::to_string(text * 12 + i)});
    }
    cells.insert(cells.end(), {texts, tokens, channels, offsets});
  }
  plot_cells("memory", "A tensor [2, 3, 4] in memory", names, cells);
}

// [steps]
// How far apart neighbours along each axis lie: the product of all
// sizes after it.
std::vector<Index> steps_of(const Shape& shape) {
  std::vector<Index> steps(static_cast<std::size_t>(shape.rank()));
  Index step = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    steps[static_cast<std::size_t>(axis)] = step;
    step *= shape[axis];
  }
  return steps;
}

// The indices of the element at an offset: how often each step fits
// into what is left.
std::vector<Index> indices_at(const Shape& shape, Index offset) {
  std::vector<Index> indices;
  for (const Index step : steps_of(shape)) {
    indices.push_back(offset / step);
    offset %= step;
  }
  return indices;
}
// [steps]

void steps() {
  const Part part("steps");
  std::printf("%-14s %9s   %s\n", "shape", "elements", "steps");
  for (const Shape& shape :
       {Shape{4}, Shape{3, 4}, Shape{2, 3, 4}, Shape{5, 2, 3, 4}, Shape{3, 1}, Shape{}}) {
    std::printf("%-14s %9d  ", words(shape).c_str(), static_cast<int>(shape.size()));
    for (const Index step : steps_of(shape)) std::printf(" %d", static_cast<int>(step));
    std::printf("\n");
  }
  const Tensor x = reshape(arange(24), {2, 3, 4});
  int agree = 0;
  for (Index offset = 0; offset < 24; ++offset) {
    const std::vector<Index> i = indices_at(x.shape(), offset);
    agree += x.at({i[0], i[1], i[2]}) == x.data()[offset];
  }
  std::printf("by offset and by at(): %d of 24 elements agree\n", agree);
  if (agree != 24) std::exit(1);
}

void broadcasting() {
  const Part part("broadcasting");
  // [broadcasting]
  const Tensor a = reshape(arange(12), {3, 4});         // [3, 4]
  const Tensor row = tensor({10, 20, 30, 40});          // [4]
  const Tensor column = tensor({{100}, {200}, {300}});  // [3, 1]
  std::cout << a + row << "\n" << a + column << "\n";
  // [broadcasting]
}

// [add]
// A matrix a [M, N] plus b of shape [M, N], [N], [1, N], [M, 1] or [].
Tensor add_to_matrix(const Tensor& a, const Tensor& b) {
  const Index m = a.size(0), n = a.size(1);
  Index down = 0, across = 0;  // b's steps to the next row and column
  if (b.rank() == 2 && b.size(0) > 1) down = b.size(1);
  if (b.rank() >= 1 && b.size(-1) > 1) across = 1;
  Tensor y(a.shape());
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      const Scalar right = b.data()[i * down + j * across];
      y.mutable_data()[i * n + j] = a.data()[i * n + j] + right;
    }
  }
  return y;
}
// [add]

void by_hand() {
  const Part part("by_hand");
  const Tensor a = reshape(arange(12), {3, 4}), row = tensor({10, 20, 30, 40});
  const Tensor column = tensor({{100}, {200}, {300}});
  must_equal("a table and a row, by hand and by the library", add_to_matrix(a, row), a + row);
  must_equal("a table and a column", add_to_matrix(a, column), a + column);
  must_equal("a table and one number", add_to_matrix(a, scalar(7)), a + scalar(7));
  must_equal("two tables", add_to_matrix(a, a), a + a);
}

// Which shapes go together, by the library.
void rule() {
  const Part part("rule");
  // [rule]
  const std::vector<std::pair<Shape, Shape>> pairs = {
      {{3, 4}, {4}},       {{3, 4}, {3, 1}},       {{3, 1}, {1, 4}},
      {{3, 1}, {4}},       {{2, 3, 4}, {}},        {{3, 4}, {3}},
      {{2, 3, 4}, {3, 1}}, {{2, 3, 4}, {2, 1, 4}}, {{2, 1, 4}, {3, 1}}};
  for (const auto& [a, b] : pairs) {
    std::printf("%-11s and %-11s ", words(a).c_str(), words(b).c_str());
    try {
      std::printf("give %s\n", words((zeros(a) + zeros(b)).shape()).c_str());
    } catch (const std::invalid_argument& error) {
      std::printf("do not fit\n    %s\n", error.what());
    }
  }
  // [rule]
}

// A column and a row make a table; drawn.
void draw_broadcast() {
  std::vector<std::vector<Cell>> cells = {{{"+"}}};
  const Tensor column = tensor({{1}, {2}, {3}}), row = tensor({{10, 20, 30, 40}});
  const Tensor table = column + row;  // [3, 1] and [1, 4] to [3, 4]
  for (Index j = 0; j < 4; ++j) {
    cells[0].push_back({std::to_string(static_cast<int>(row.at({0, j}))), 0});
  }
  for (Index i = 0; i < 3; ++i) {
    cells.push_back({{std::to_string(static_cast<int>(column.at({i, 0}))), 1}});
    for (Index j = 0; j < 4; ++j) {
      cells.back().push_back({std::to_string(static_cast<int>(table.at({i, j}))), 2});
    }
  }
  plot_cells("table", "[3, 1] + [1, 4] gives [3, 4]", {"", "", "", ""}, cells);
}

// The sum that forgot its axis.
void keepdim() {
  const Part part("keepdim");
  // [keepdim]
  const Tensor x = tensor({{1, 1, 2}, {2, 2, 4}, {8, 4, 4}});  // [3, 3]
  const Tensor right = x / sum(x, 1, {.keepdim = true});       // [3, 3] / [3, 1]
  const Tensor wrong = x / sum(x, 1);                          // [3, 3] / [3]
  // [keepdim]
  std::cout << "right\n" << right << "\nits rows sum to " << sum(right, 1) << "\n";
  std::cout << "wrong\n" << wrong << "\nits rows sum to " << sum(wrong, 1) << "\n";
}

// Which ops make a new row of numbers.
void copies() {
  const Part part("copies");
  std::printf("%-26s %-10s %-8s %s\n", "", "shape", "numbers", "copied");
  // [copies]
  const Tensor x = reshape(arange(12), {3, 4});
  const auto look = [&](const char* what, const Tensor& y) {
    const bool shared = x.begin() <= y.data() && y.data() < x.end();
    const int copied = static_cast<int>(shared ? 0 : y.size());
    std::printf("%-26s %-10s ", what, words(y.shape()).c_str());
    std::printf("%-8s %d\n", shared ? "shared" : "new", copied);
  };
  const Tensor y = x;
  look("Tensor y = x", y);
  look("reshape(x, {4, 3})", reshape(x, {4, 3}));
  look("reshape(x, {2, 3, 2})", reshape(x, {2, 3, 2}));
  look("x.clone()", x.clone());
  look("transpose(x)", transpose(x));
  look("permute(x, {1, 0})", permute(x, {1, 0}));
  look("slice(x, 1, 1, 3)", slice(x, 1, 1, 3));
  look("slice(x, 0, 0, 2)", slice(x, 0, 0, 2));
  look("broadcast_to(x, {2, 3, 4})", broadcast_to(x, {2, 3, 4}));
  // [copies]
  must("a reshape begins at the address of x", reshape(x, {4, 3}).data() == x.data());
}

// One row of numbers under two shapes.
void shared() {
  const Part part("shared");
  // [shared]
  const Tensor x = reshape(arange(12), {3, 4});
  const Tensor y = reshape(x, {4, 3}), z = x.clone();
  y.mutable_data()[5] = 100;  // for the sake of the experiment: no op does so
  std::cout << "x\n" << x << "\ny\n" << y << "\nz\n" << z << "\n";
  // [shared]
  must("x has changed with y", x.at({1, 1}) == 100);
  must("z has not", z.at({1, 1}) == 5);
}

// What a reshape and a transpose take, at growing sizes.
void cost() {
  const Part part("cost");
  set_num_threads(1);  // as the text says
  Series still{"reshape", {}, {}}, moved{"transpose", {}, {}};
  std::printf("   numbers   reshape, microseconds   transpose, microseconds\n");
  for (Index side = 64; side <= 4096; side *= 2) {
    // [cost]
    const Tensor x = zeros({side, side});
    const double same_order = shortest_seconds(10, [&] { reshape(x, {-1}); });
    const double new_order = shortest_seconds(10, [&] { transpose(x); });
    // [cost]
    still.x.push_back(static_cast<double>(x.size())), still.y.push_back(same_order * 1e6);
    moved.x.push_back(static_cast<double>(x.size())), moved.y.push_back(new_order * 1e6);
    std::printf("%10d %20.2f %25.2f\n", static_cast<int>(x.size()), still.y.back(), moved.y.back());
  }
  plot_lines("cost",
             {.title = "What another shape takes, and what another order does",
              .x = "numbers in the tensor",
              .y = "microseconds",
              .log_x = true,
              .log_y = true},
             {still, moved});
}

// The same shape by two ways, and other numbers.
void not_a_transpose() {
  const Part part("not_a_transpose");
  // [not_a_transpose]
  const Tensor x = reshape(arange(12), {3, 4});
  std::cout << "reshape(x, {4, 3})\n" << reshape(x, {4, 3}) << "\n";
  std::cout << "transpose(x)\n" << transpose(x) << "\n";
  // [not_a_transpose]
  const auto strip = [](const Tensor& y) {  // x's row by colour
    std::vector<Cell> cells;
    for (const Scalar v : y) {
      const int number = static_cast<int>(v);
      cells.push_back({std::to_string(number), number / 4});
    }
    return cells;
  };
  plot_cells("orders", "What lies in memory, in order; one colour for each row of x",
             {"x", "reshape", "transpose", "slice"},
             {strip(x), strip(reshape(x, {4, 3})), strip(transpose(x)), strip(slice(x, 1, 1, 3))});
}

// Expressions and their shapes.
void shapes() {
  const Part part("shapes");
  const Tensor x = zeros({2, 3, 4}), bias = zeros({4});
#define SHAPE_OF(...) std::printf("%-34s %s\n", #__VA_ARGS__, words((__VA_ARGS__).shape()).c_str())
  // [shapes]
  SHAPE_OF(x);
  SHAPE_OF(bias);
  SHAPE_OF(x + bias);
  SHAPE_OF(reshape(x, {6, 4}));
  SHAPE_OF(reshape(x, {2, -1}));
  SHAPE_OF(transpose(x));
  SHAPE_OF(permute(x, {1, 0, 2}));
  SHAPE_OF(slice(x, 1, 0, 2));
  SHAPE_OF(concat({x, x, x}, 2));
  SHAPE_OF(stack({x, x, x}, 0));
  SHAPE_OF(sum(x));
  SHAPE_OF(sum(x, -1));
  SHAPE_OF(sum(x, -1, {.keepdim = true}));
  SHAPE_OF(x - mean(x, {0, 1}));
  // [shapes]
#undef SHAPE_OF
}

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  {
    const Part part("smallest");
    smallest();
  }
  in_a_row();
  steps();
  broadcasting();
  by_hand();
  rule();
  draw_broadcast();
  keepdim();
  copies();
  shared();
  cost();
  not_a_transpose();
  shapes();
}

#include "autograd/ops/index.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "autograd/graph.h"
#include "autograd/inspect/gradcheck.h"
#include "autograd/kernels/parallel_for.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

using namespace gradus;

namespace {

using Values = std::vector<Scalar>;

/// Numbers in [0, n), repeated without a simple pattern.
IndexTensor scattered(const Shape& shape, Index n) {
  IndexTensor index(shape);
  for (Index i = 0; i < index.size(); ++i) {
    index.mutable_data()[i] = static_cast<std::int32_t>((i * i * 7 + i * 3 + 1) % n);
  }
  return index;
}

/// Values whose sums depend on the order of addition.
Tensor uneven(const Shape& shape) { return 1 / (reshape(arange(shape.size()), shape) + 1); }

/// The gradient of f(x) for dy = uneven(), on `threads` threads.
template <class F>
Values gradient_of(F f, const Shape& shape, int threads) {
  const int before = num_threads();
  set_num_threads(threads);
  Tensor x = zeros(shape).set_requires_grad();
  const Tensor y = f(x);
  backward(y, uneven(y.shape()));
  set_num_threads(before);
  return x.grad().values();
}

#define CHECK_FAILS(expression, message)                                          \
  CHECK_THROWS_WITH_AS(static_cast<void>(expression), doctest::Contains(message), \
                       std::invalid_argument)

}  // namespace

TEST_CASE("embedding: the rows that the tokens name") {
  const Tensor table = tensor({{1, 2}, {3, 4}, {5, 6}});
  const Tensor y = embedding(indices({{2, 0}, {2, 1}}), table);
  CHECK(y.shape() == Shape{2, 2, 2});
  CHECK(y.values() == Values{5, 6, 1, 2, 5, 6, 3, 4});
  CHECK(embedding(indices(1), table).values() == Values{3, 4});
  CHECK(embedding(IndexTensor(Shape{0, 3}), table).shape() == Shape{0, 3, 2});
  CHECK(embedding(indices({0, 1}), zeros({2, 0})).shape() == Shape{2, 0});
}

TEST_CASE("embedding: the gradient sums the rows of equal tokens") {
  Tensor table = zeros({4, 2}).set_requires_grad();
  backward(embedding(indices({2, 0, 2}), table), tensor({{1, 2}, {3, 4}, {5, 6}}));
  CHECK(table.grad().values() == Values{3, 4, 0, 0, 6, 8, 0, 0});
}

TEST_CASE("embedding: the gradient of no tokens is 0") {
  Tensor table = ones({3, 5}).set_requires_grad();
  backward(embedding(IndexTensor(Shape{0}), table), zeros({0, 5}));
  CHECK(table.grad().values() == Values(15, 0));
}

TEST_CASE("embedding: names the token, its place and the table") {
  IndexTensor tokens(Shape{2, 5});
  tokens.mutable_data()[8] = 70;
  CHECK_FAILS(embedding(tokens, zeros({65, 3})),
              "embedding: token 70 at [1, 3] is outside the table's 65 rows");
  CHECK_FAILS(embedding(indices(-1), zeros({65, 3})),
              "embedding: token -1 at [] is outside the table's 65 rows");
  CHECK_FAILS(embedding(indices({3}), zeros({3, 2})),
              "token 3 at [0] is outside the table's 3 rows");
  CHECK_FAILS(embedding(indices({0}), zeros({3})), "embedding: needs a table [V, C], got [3]");
  CHECK_FAILS(embedding(IndexTensor({1, 1, 1, 1, 1, 1, 1, 1}), zeros({3, 2})),
              "embedding: at most 8 axes, cannot append one to [1, 1");
}

TEST_CASE("embedding: the gradient of one token that stands very often still grows") {
  // In float, 2^24 + 1 is 2^24: ones that are added to 2^24 one by one are lost.
  const Index most = Index{1} << 21, large = Index{1} << 24;
  const Tensor table = zeros({2, 1}).set_requires_grad();
  const Tensor dy = ones({most, 1});
  dy.mutable_data()[0] = static_cast<Scalar>(large);
  backward(embedding(IndexTensor(Shape{most}), table), dy);
  CHECK(table.grad().at({0, 0}) >= static_cast<Scalar>(large + most / 2));
  CHECK(table.grad().at({1, 0}) == 0);
}

TEST_CASE("embedding: gradients have the same bits on any number of threads") {
  const Shape table{67, 71};
  const IndexTensor tokens = scattered({13, 61}, 67);
  const auto f = [&](const Tensor& x) { return embedding(tokens, x); };
  const Values one = gradient_of(f, table, 1);
  Values expected(table.size(), 0);
  const Tensor dy = uneven({13 * 61, 71});
  for (Index i = 0; i < tokens.size(); ++i) {
    for (Index c = 0; c < 71; ++c) {
      expected[tokens.data()[i] * 71 + c] += dy.at({i, c});
    }
  }
  CHECK(one == expected);
  CHECK(gradient_of(f, table, 2) == one);
  CHECK(gradient_of(f, table, 5) == one);
}

TEST_CASE("gather: along each axis") {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  CHECK(gather(x, 1, indices({{2}, {0}})).values() == Values{3, 4});
  CHECK(gather(x, -1, indices({{2, 2, 0, 1}, {0, 0, 0, 1}})).values() ==
        Values{3, 3, 1, 2, 4, 4, 4, 5});
  CHECK(gather(x, 0, indices({{1, 0, 1}})).values() == Values{4, 2, 6});
  CHECK(gather(arange(5), 0, indices({4, 4, 1})).values() == Values{4, 4, 1});
  // y[i, j, k] = x[i, index[i, j, k], k]
  const Tensor cube = reshape(arange(12), {2, 3, 2});
  const Tensor y = gather(cube, 1, indices({{{2, 0}}, {{1, 1}}}));
  CHECK(y.shape() == Shape{2, 1, 2});
  CHECK(y.values() == Values{4, 1, 8, 9});
}

TEST_CASE("gather: the index may be smaller than x along the other axes, or empty") {
  const Tensor x = reshape(arange(24), {2, 3, 4});
  CHECK(gather(x, 0, indices({{{1, 0}, {0, 1}}})).values() == Values{12, 1, 4, 17});
  CHECK(gather(x, 2, indices({{{3}, {0}}})).values() == Values{3, 4});
  CHECK(gather(x, 1, indices({{{2, 1, 0}}})).values() == Values{8, 5, 2});
  CHECK(gather(x, 1, IndexTensor(Shape{2, 0, 4})).shape() == Shape{2, 0, 4});
  CHECK(gather(zeros({0, 3}), 1, IndexTensor(Shape{0, 2})).shape() == Shape{0, 2});
}

TEST_CASE("gather: the gradient sums over equal indices") {
  Tensor x = zeros({2, 3}).set_requires_grad();
  backward(gather(x, 1, indices({{2, 2}, {0, 1}})), tensor({{1, 2}, {3, 4}}));
  CHECK(x.grad().values() == Values{0, 0, 3, 3, 4, 0});
  x.zero_grad();
  backward(gather(x, 0, indices({{1, 0, 1}, {1, 1, 0}})), tensor({{1, 2, 3}, {4, 5, 6}}));
  CHECK(x.grad().values() == Values{0, 2, 6, 5, 5, 3});
}

TEST_CASE("gather: refuses arguments that do not fit") {
  const Tensor x = zeros({3, 5});
  CHECK_FAILS(gather(x, 1, indices({{0, 1}, {5, 2}})),
              "gather: index 5 at [1, 0] is outside axis 1 of [3, 5]");
  CHECK_FAILS(gather(x, 0, indices({{-1}})),
              "gather: index -1 at [0, 0] is outside axis 0 of [3, 5]");
  const char* rule =
      "gather: index must have as many axes as x, and only axis 1 may be longer than x's";
  CHECK_FAILS(gather(x, 1, indices({0, 1})), rule);
  CHECK_FAILS(gather(x, 1, IndexTensor(Shape{4, 5})), "got x [3, 5] and index [4, 5]");
  CHECK_FAILS(gather(x, 2, indices({{0}})), "gather: axis 2 is not an axis of [3, 5]");
}

TEST_CASE("gather: gradients have the same bits on any number of threads") {
  struct Case {
    Shape x, index;
    int axis;
  };
  for (const Case& c : {Case{{67, 71}, {503, 71}, 0}, Case{{503, 67}, {503, 71}, 1},
                        Case{{11, 13, 61}, {7, 97, 59}, 1}, Case{{13, 67, 61}, {103, 7, 59}, 0}}) {
    const IndexTensor index = scattered(c.index, c.x[c.axis]);
    const auto f = [&](const Tensor& x) { return gather(x, c.axis, index); };
    const Values one = gradient_of(f, c.x, 1);
    CHECK(gradient_of(f, c.x, 2) == one);
    CHECK(gradient_of(f, c.x, 5) == one);
  }
}

#ifdef GRADUS_DOUBLE

// A cube follows each op, so that second derivatives are not all zero.
TEST_CASE("indexing: gradients of first and second order") {
  const auto both = [](const TensorFunction& op, const std::vector<Shape>& shapes) {
    const TensorFunction cubed = [op](const std::vector<Tensor>& x) { return pow(op(x), 3); };
    check_gradient(cubed, shapes);
    check_second_gradient(cubed, shapes);
  };
  using Tensors = std::vector<Tensor>;
  const IndexTensor tokens = indices({{4, 0, 4}, {1, 4, 0}});
  both([=](const Tensors& x) { return embedding(tokens, x[0]); }, {{5, 3}});
  both([](const Tensors& x) { return gather(x[0], 0, scattered({7, 3}, 5)); }, {{5, 3}});
  both([](const Tensors& x) { return gather(x[0], 1, scattered({2, 7, 3}, 5)); }, {{2, 5, 3}});
  both([](const Tensors& x) { return gather(x[0], -1, scattered({2, 1, 3}, 5)); }, {{2, 3, 5}});
}

#endif

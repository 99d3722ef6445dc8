// argmax, topk and one_hot.

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/index.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

using Numbers = std::vector<std::int32_t>;

const Tensor kTable = tensor({{{1, 2, 3}, {4, 5, 6}}, {{-1, -2, 9}, {7, 0, 8}}});  // [2, 2, 3]

}  // namespace

TEST_CASE("argmax: by hand, over each axis and over all") {
  CHECK(argmax(kTable, 0).values() == Numbers{0, 0, 1, 1, 0, 1});
  CHECK(argmax(kTable, 1).values() == Numbers{1, 1, 1, 1, 1, 0});
  CHECK(argmax(kTable, -1).values() == Numbers{2, 2, 2, 2});
  CHECK(argmax(kTable, -1).shape() == Shape{2, 2});
  CHECK(argmax(kTable, 1, {.keepdim = true}).shape() == Shape{2, 1, 3});
  CHECK(argmax(kTable).values() == Numbers{8});
  CHECK(argmax(kTable).shape() == Shape());
  CHECK(argmax(kTable, {}, {.keepdim = true}).shape() == Shape{1, 1, 1});
  CHECK(argmax(scalar(5)).values() == Numbers{0});
  CHECK(argmax(zeros({0, 3}), 1).shape() == Shape{0});
  CHECK(argmax(ones({2}).set_requires_grad()).values() == Numbers{0});
}

TEST_CASE("argmax: the first of equal ones, and NaN before all numbers") {
  CHECK(argmax(tensor({1, 3, 3, 2})).values() == Numbers{1});
  CHECK(argmax(tensor({0.0, -0.0, -1})).values() == Numbers{0});
  CHECK(argmax(tensor({-kInf, -kInf})).values() == Numbers{0});
  CHECK(argmax(tensor({1, kNaN, kInf, kNaN})).values() == Numbers{1});
}

TEST_CASE("argmax: refuses arguments that do not fit") {
  CHECK_FAILS(argmax(kTable, 3), "argmax: axis 3 is not an axis of [2, 2, 3]");
  CHECK_FAILS(argmax(kTable, {0, 1}),
              "argmax: needs one axis, or no axis to search all of [2, 2, 3], got 2");
  CHECK_FAILS(argmax(zeros({3, 0}), 1),
              "argmax: needs at least one element to choose from, got [3, 0]");
  CHECK_FAILS(argmax(zeros({0})), "argmax: needs at least one element to choose from, got [0]");
}

TEST_CASE("argmax and topk: against each other, on one thread and on several") {
  const Tensor x = drawn({67, 31, 23}, 0);
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    for (int axis : {0, 1, 2}) {
      const TopK all = topk(x, x.size(axis), axis);
      CHECK(argmax(x, axis, {.keepdim = true}).values() == topk(x, 1, axis).indices.values());
      CHECK(max(x, axis, {.keepdim = true}).values() == topk(x, 1, axis).values.values());
      CHECK(gather(x, axis, all.indices).values() == all.values.values());
      const Index n = x.size(axis);
      const Tensor falls = slice(all.values, axis, 0, n - 1) - slice(all.values, axis, 1);
      CHECK(min(falls).item() >= 0);
      CHECK_CLOSE(sum(all.values, axis), sum(x, axis), kIsDouble ? 1e-11 : 1e-4);
    }
  }
}

TEST_CASE("topk: by hand, at ties and at NaN") {
  const TopK two = topk(kTable, 2);
  CHECK(two.values.shape() == Shape{2, 2, 2});
  CHECK(two.values.values() == Values{3, 2, 6, 5, 9, -1, 8, 7});
  CHECK(two.indices.values() == Numbers{2, 1, 2, 1, 2, 0, 2, 0});
  CHECK(topk(kTable, 1, 0).indices.values() == Numbers{0, 0, 1, 1, 0, 1});
  CHECK(topk(tensor({5, 7, 5, 7, 1}), 4).indices.values() == Numbers{1, 3, 0, 2});
  CHECK(topk(tensor({1, kNaN, kInf, kNaN}), 3).indices.values() == Numbers{1, 3, 2});
  CHECK(topk(kTable, 0).values.shape() == Shape{2, 2, 0});
  const auto best = [](const Tensor& x) { return topk(x, 2).values; };
  CHECK(gradient_of(best, tensor({3, 9, 5}), tensor({10, 20})).values() == Values{0, 10, 20});
  CHECK_FAILS(topk(kTable, 4), "topk: k must be in [0, 3] along axis 2 of [2, 2, 3], got 4");
  CHECK_FAILS(topk(kTable, -1), "topk: k must be in [0, 3] along axis 2 of [2, 2, 3], got -1");
  CHECK_FAILS(topk(kTable, 1, 3), "topk: axis 3 is not an axis of [2, 2, 3]");
}

TEST_CASE("one_hot: by hand") {
  const Tensor y = one_hot(indices({{2, 0}, {1, 1}}), 3);
  CHECK(y.shape() == Shape{2, 2, 3});
  CHECK(y.values() == Values{0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0});
  CHECK(one_hot(indices(1), 2).values() == Values{0, 1});
  CHECK(one_hot(IndexTensor(Shape{0}), 5).shape() == Shape{0, 5});
  CHECK_FAILS(one_hot(indices({{0, 3}}), 3), "one_hot: index 3 at [0, 1] is outside 3 classes");
  CHECK_FAILS(one_hot(indices({-1}), 3), "one_hot: index -1 at [0] is outside 3 classes");
  CHECK_FAILS(one_hot(IndexTensor(Shape{0}), -1), "one_hot: sizes must not be negative");
}

#ifdef GRADUS_DOUBLE

TEST_CASE("topk: gradients of first and second order") {
  for (int axis : {0, 1, -1}) {
    const auto f = [=](const Tensors& x) { return tanh(topk(x[0], 2, axis).values); };
    check_gradient(f, {{2, 3, 5}});
    check_second_gradient(f, {{2, 3, 5}});
  }
}

#endif

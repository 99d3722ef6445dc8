#include "autograd/ops/token_shift.h"

#include "autograd/gradcheck.h"
#include "autograd/ops/shape_ops.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

/// Out of slices: the kept channels, and beside them the others one position later.
Tensor shifted_by_slices(const Tensor& x, Index shifted) {
  const Index kept = x.size(-1) - shifted;
  const Tensor late = pad(slice(x, -1, kept), -2, 1, 0);
  return concat({slice(x, -1, 0, kept), slice(late, -2, 0, x.size(-2))}, -1);
}

}  // namespace

TEST_CASE("token_shift: by hand") {
  const Tensor x = tensor({{1, 2}, {3, 4}, {5, 6}});
  CHECK(token_shift(x, 1).values() == Values{1, 0, 3, 2, 5, 4});
  CHECK(token_shift(x, 0).values() == x.values());
  CHECK(token_shift(x, 2).values() == Values{0, 0, 1, 2, 3, 4});
}

TEST_CASE("token_shift: equals the composed version") {
  for (Index shifted : {0, 1, 3, 5}) {
    CHECK_SAME([=](const Tensors& x) { return token_shift(x[0], shifted) * x[0]; },
               [=](const Tensors& x) { return shifted_by_slices(x[0], shifted) * x[0]; },
               {drawn({2, 3, 4, 5}, 0)});
  }
}

TEST_CASE("token_shift: edges and errors") {
  CHECK(token_shift(zeros({2, 0, 4}), 1).shape() == Shape{2, 0, 4});
  CHECK(token_shift(ones({1, 4}), 3).values() == Values{1, 0, 0, 0});
  CHECK_FAILS(token_shift(zeros({2, 3}), 4),
              "token_shift: needs x [..., T, C] and at most C channels to shift, got x [2, 3] and "
              "4 channels");
  CHECK_FAILS(token_shift(zeros({2, 3}), -1), "token_shift: needs");
  CHECK_FAILS(token_shift(zeros({3}), 1), "got x [3]");
}

TEST_CASE("token_shift: several threads") {
  CHECK_THREADS([](const Tensors& x) { return token_shift(x[0], 33); }, {drawn({7, 65, 67}, 0)});
}

#ifdef GRADUS_DOUBLE

TEST_CASE("token_shift: gradients") {
  const TensorFunction f = [](const Tensors& x) { return token_shift(x[0], 2) * x[0]; };
  check_gradient(f, {{2, 4, 3}});
  check_second_gradient(f, {{3, 3}});
}

#endif

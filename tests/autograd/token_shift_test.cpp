#include "autograd/ops/token_shift.h"

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;

TEST_CASE("token_shift: by hand") {
  const Tensor x = tensor({{1, 2}, {3, 4}, {5, 6}});
  CHECK(token_shift(x, {1, 1}).values() == Values{1, 0, 3, 2, 5, 4});
  CHECK(token_shift(x, {2}).values() == x.values());
  CHECK(token_shift(x, {0, 2}).values() == Values{0, 0, 1, 2, 3, 4});
  CHECK(token_shift(x, {0, 0, 1, 1}).values() == Values{0, 0, 0, 0, 1, 0});
}

TEST_CASE("token_shift: the usual widths") {
  CHECK(halving_widths(128) == ShiftWidths{64, 32, 16, 16});
  CHECK(halving_widths(6) == ShiftWidths{5, 1, 0, 0});
  CHECK(halving_widths(1) == ShiftWidths{1, 0, 0, 0});
}

TEST_CASE("token_shift: equals the composed version") {
  for (const ShiftWidths& widths :
       {ShiftWidths{5}, ShiftWidths{2, 1, 1, 1}, ShiftWidths{0, 2, 0, 3}, ShiftWidths{1, 4}}) {
    const Function f = [=](const Tensors& x) { return token_shift(x[0], widths) * x[0]; };
    CHECK_PATHS(f, Tensors{drawn({2, 3, 4, 5}, 0)});
  }
}

TEST_CASE("token_shift: a text in pieces, with the tokens before, equals the whole text") {
  const Tensor x = drawn({2, 9, 8}, 0);
  const ShiftWidths widths = halving_widths(8);
  const Tensor all = token_shift(x, widths);
  Tensor before = zeros({2, 3, 8});
  Index read = 0;
  for (const Index count : {2, 1, 4, 1, 1}) {
    const Tensor y = cached_token_shift(slice(x, 1, read, read + count), widths, before);
    CHECK(y.values() == slice(all, 1, read, read + count).values());
    read += count;
  }
  CHECK(before.values() == slice(x, 1, -3).values());
  CHECK_FAILS(cached_token_shift(zeros({2, 9, 7}), widths, before),
              "cached_token_shift: needs x [B, T, C] and before [B, 3, C], got [2, 9, 7] and "
              "[2, 3, 8]");
}

TEST_CASE("token_shift: edges and errors") {
  CHECK(token_shift(zeros({2, 0, 4}), {3, 1}).shape() == Shape{2, 0, 4});
  CHECK(token_shift(ones({1, 4}), {1, 3}).values() == Values{1, 0, 0, 0});
  {
    const ComposedOps composed;
    CHECK(token_shift(zeros({2, 0, 4}), {3, 1}).shape() == Shape{2, 0, 4});
    CHECK(token_shift(ones({1, 4}), {1, 3}).values() == Values{1, 0, 0, 0});
  }
  CHECK_FAILS(token_shift(zeros({2, 3}), {3, 1}),
              "token_shift: needs x [..., T, C] and widths with sum C, got x [2, 3] and widths 3, "
              "1, 0, 0");
  CHECK_FAILS(token_shift(zeros({2, 3}), {4, -1}), "token_shift: needs");
  CHECK_FAILS(token_shift(zeros({3}), {3}), "got x [3]");
}

TEST_CASE("token_shift: several threads") {
  CHECK_THREADS(
      [](const Tensors& x) {
        return token_shift(x[0], {34, 20, 7, 6});
      },
      {drawn({7, 65, 67}, 0)});
}

#ifdef GRADUS_DOUBLE

TEST_CASE("token_shift: gradients") {
  const TensorFunction f = [](const Tensors& x) { return token_shift(x[0], {1, 1, 0, 1}) * x[0]; };
  check_gradient(f, {{2, 5, 3}});
  check_second_gradient(f, {{4, 3}});
}

#endif

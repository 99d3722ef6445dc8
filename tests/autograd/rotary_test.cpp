#include "autograd/ops/rotary.h"

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;

TEST_CASE("rotary_table: cosines, then sines") {
  // Frequencies 1 and 100^(-1/2) = 0.1.
  const Tensor table = rotary_table(3, 4, 100);
  CHECK_CLOSE(table, tensor({{1, 1, 0, 0},
                             {std::cos(1.0), std::cos(0.1), std::sin(1.0), std::sin(0.1)},
                             {std::cos(2.0), std::cos(0.2), std::sin(2.0), std::sin(0.2)}}));
}

TEST_CASE("rotary_table: takes other frequencies and another scale") {
  CHECK(rotary_table(7, std::vector{1.0, 0.1}).values() == rotary_table(7, 4, 100).values());
  CHECK_CLOSE(rotary_table(2, std::vector{0.5}, 3),
              tensor({{3, 0}, {3 * std::cos(0.5), 3 * std::sin(0.5)}}));
  CHECK(rotary_table(5, std::vector<double>{}).shape() == Shape{5, 0});
  CHECK_FAILS(rotary_table(2, std::vector<double>{1, INFINITY}),
              "rotary_table: needs finite frequencies");
  CHECK_FAILS(rotary_table(2, std::vector{1.0}, NAN),
              "got 2 positions, 1 frequencies and scale nan");
  CHECK_FAILS(rotary_table(-1, std::vector{1.0}), "got -1 positions");
}

TEST_CASE("rotary: by hand") {
  // At position 1 the pair (1, 0) is rotated by 1 radian, at position 2 the pair (0, 2) by 2.
  const Tensor x = tensor({{5, 6}, {1, 0}, {0, 2}});
  CHECK_CLOSE(
      rotary(x, rotary_table(3, 2)),
      tensor({{5, 6}, {std::cos(1.0), std::sin(1.0)}, {-2 * std::sin(2.0), 2 * std::cos(2.0)}}));
}

TEST_CASE("rotary: products depend on distance alone") {
  const Tensor table = rotary_table(50, 8);
  const Tensor q = drawn({1, 8}, 0), k = drawn({1, 8}, 1);
  const auto product = [&](Index i, Index j) {
    return matmul(rotary(q, table, i), rotary(k, table, j), {.b = true});
  };
  for (Index shift : {1, 7, 40}) {
    CHECK_CLOSE(product(5 + shift, 2 + shift), product(5, 2), kSameMaths);
  }
  CHECK(difference(product(6, 2), product(5, 2), 1e-3) != "");
}

TEST_CASE("rotary: begins at a given position, and rotates all texts alike") {
  const Tensor table = rotary_table(9, 6);
  const Tensor x = drawn({2, 3, 9, 6}, 0);
  CHECK_CLOSE(slice(rotary(x, table), 2, 4), rotary(slice(x, 2, 4), table, 4));
  CHECK_CLOSE(slice(rotary(x, table), 0, 1), rotary(slice(x, 0, 1), table));
}

TEST_CASE("rotary: equals the composed version, packed too") {
  const Tensor table = rotary_table(11, 6);
  const Function alone = [&](const Tensors& x) { return rotary(x[0], table, 2); };
  CHECK_PATHS(alone, Tensors{drawn({3, 4, 9, 6}, 0)});
  const Function packed = [&](const Tensors& x) { return packed_rotary(x[0], 4, table, 2); };
  CHECK_PATHS(packed, Tensors{drawn({3, 9, 72}, 0)});
  const Function grouped = [&](const Tensors& x) { return packed_rotary(x[0], 4, table, 2, 2); };
  CHECK_PATHS(grouped, Tensors{drawn({3, 9, 48}, 0)});
}

TEST_CASE("packed_rotary: values are as they were") {
  const Tensor x = drawn({2, 3, 24}, 0);
  const Tensor y = packed_rotary(x, 2, rotary_table(3, 4));
  CHECK(slice(y, 2, 16).values() == slice(x, 2, 16).values());
  CHECK(difference(slice(y, 2, 0, 16), slice(x, 2, 0, 16), 0.1) != "");
  const Tensor grouped = packed_rotary(x, 4, rotary_table(3, 4), 0, 1);  // 4 + 1 + 1 heads of 4
  CHECK(slice(grouped, 2, 0, 16).values() == slice(y, 2, 0, 16).values());
  CHECK(slice(grouped, 2, 20).values() == slice(x, 2, 20).values());
  CHECK(difference(slice(grouped, 2, 16, 20), slice(x, 2, 16, 20), 0.1) != "");
}

TEST_CASE("rotary: errors name the argument that does not fit") {
  CHECK_FAILS(rotary_table(3, 5), "rotary_table: needs an even width and a finite base above 0");
  CHECK_FAILS(rotary(zeros({3, 4}), rotary_table(2, 4)),
              "rotary: the table has rows for 2 positions, got 3 from position 0 on (make a "
              "longer table)");
  CHECK_FAILS(rotary(zeros({1, 4}), rotary_table(2, 4), 2), "got 1 from position 2 on");
  CHECK_FAILS(rotary(zeros({1, 4}), rotary_table(2, 4), -1), "got 1 from position -1 on");
  CHECK_FAILS(rotary(zeros({1, 4}), rotary_table(2, 2)),
              "rotary: needs a table [..., 4], of even width, got [2, 2]");
  CHECK_FAILS(rotary(zeros({4}), rotary_table(2, 4)), "rotary: needs x [..., T, D], got [4]");
  CHECK_FAILS(packed_rotary(zeros({1, 2, 10}), 2, rotary_table(2, 4)),
              "packed_rotary: needs qkv [B, T, 3 C] with C a multiple of the 2 heads, got [1, 2, "
              "10]");
  CHECK_FAILS(packed_rotary(zeros({1, 2, 12}), 2, rotary_table(2, 4)),
              "packed_rotary: needs a table [..., 2], of even width, got [2, 4]");
}

TEST_CASE("rotary: several threads, and nothing at all") {
  const Tensor table = rotary_table(65, 32);
  CHECK_THREADS([&](const Tensors& x) { return rotary(x[0], table); }, {drawn({3, 5, 65, 32}, 0)});
  CHECK_THREADS([&](const Tensors& x) { return packed_rotary(x[0], 2, table); },
                {drawn({3, 65, 192}, 0)});
  CHECK(rotary(zeros({2, 0, 4}), rotary_table(2, 4)).shape() == Shape{2, 0, 4});
  CHECK(packed_rotary(zeros({0, 3, 12}), 2, rotary_table(3, 2)).shape() == Shape{0, 3, 12});
}

#ifdef GRADUS_DOUBLE

TEST_CASE("rotary: gradients") {
  const Tensor table = rotary_table(5, 4);
  const TensorFunction turn = [=](const Tensors& x) { return rotary(x[0], table, 1) * x[0]; };
  check_gradient(turn, {{2, 3, 4}});
  check_second_gradient(turn, {{3, 4}});
  const TensorFunction packed = [=](const Tensors& x) {
    return packed_rotary(x[0], 2, table) * x[0];
  };
  check_gradient(packed, {{2, 3, 24}});
  check_second_gradient(packed, {{1, 2, 24}});
  const Tensor scaled = rotary_table(5, std::vector{1.0, 0.3}, 1.7);
  check_gradient([=](const Tensors& x) { return packed_rotary(x[0], 4, scaled, 1, 2) * x[0]; },
                 {{2, 3, 32}});
}

#endif

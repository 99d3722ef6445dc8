#include "autograd/fused/rope.h"
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

TEST_CASE("rotary: by hand") {
  // At position 1 the pair (1, 0) turns by 1 radian, (0, 2) by 2 at position 2.
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

TEST_CASE("rotary: begins where it is told, and turns every text alike") {
  const Tensor table = rotary_table(9, 6);
  const Tensor x = drawn({2, 3, 9, 6}, 0);
  CHECK_CLOSE(slice(rotary(x, table), 2, 4), rotary(slice(x, 2, 4), table, 4));
  CHECK_CLOSE(slice(rotary(x, table), 0, 1), rotary(slice(x, 0, 1), table));
}

TEST_CASE("prepare_heads: equals the composed version") {
  const Tensor table = rotary_table(11, 6);
  for (const bool normalise : {false, true}) {
    for (const Tensor& angles : {Tensor(), table}) {
      const HeadPreparation how{.normalise = normalise, .table = angles, .first = 2};
      CHECK_SAME([&](const Tensors& x) { return prepare_heads(x[0], 4, how); },
                 [&](const Tensors& x) { return prepare_heads_composed(x[0], 4, how); },
                 {drawn({3, 9, 72}, 0)});
    }
  }
}

TEST_CASE("prepare_heads: queries and keys have a mean square of 1, values are as they were") {
  const Tensor x = drawn({2, 3, 24}, 0);
  const Tensor y = prepare_heads(x, 2, {.normalise = true, .table = rotary_table(3, 4)});
  const Tensor heads = slice(reshape(y, {2, 3, 6, 4}), 2, 0, 4);
  CHECK_CLOSE(mean(heads * heads, -1), ones({2, 3, 4}), 1e-4);
  CHECK(slice(y, 2, 16).values() == slice(x, 2, 16).values());
}

TEST_CASE("rotary: what does not fit is named") {
  CHECK_FAILS(rotary_table(3, 5), "rotary_table: needs an even width and a base above 0");
  CHECK_FAILS(rotary(zeros({3, 4}), rotary_table(2, 4)),
              "rotary: needs a table [at least 3, 4], of even width, got [2, 4]");
  CHECK_FAILS(rotary(zeros({1, 4}), rotary_table(2, 4), 2), "[at least 3, 4]");
  CHECK_FAILS(rotary(zeros({1, 4}), rotary_table(2, 4), -1), "rotary: needs a table");
  CHECK_FAILS(rotary(zeros({4}), rotary_table(2, 4)), "rotary: needs x [..., T, D], got [4]");
  CHECK_FAILS(prepare_heads(zeros({1, 2, 10}), 2, {}),
              "prepare_heads: needs qkv [B, T, 3 C] with C a multiple of the 2 heads, got [1, 2, "
              "10]");
  CHECK_FAILS(prepare_heads(zeros({1, 2, 12}), 2, {.table = rotary_table(2, 4)}),
              "prepare_heads: needs a table [at least 2, 2]");
  const Tensor x = drawn({1, 2, 12}, 0).set_requires_grad();
  CHECK_FAILS(grad({prepare_heads(x, 2, {.normalise = true, .table = Tensor()})}, {x},
                   {.create_graph = true, .gradients = {ones({1, 2, 12})}}),
              "(use prepare_heads_composed)");
}

TEST_CASE("rotary: several threads, and nothing at all") {
  const Tensor table = rotary_table(65, 32);
  CHECK_THREADS([&](const Tensors& x) { return rotary(x[0], table); }, {drawn({3, 5, 65, 32}, 0)});
  CHECK_THREADS(
      [&](const Tensors& x) { return prepare_heads(x[0], 2, {.normalise = true, .table = table}); },
      {drawn({3, 65, 192}, 0)});
  CHECK(rotary(zeros({2, 0, 4}), rotary_table(2, 4)).shape() == Shape{2, 0, 4});
  CHECK(prepare_heads(zeros({0, 3, 12}), 2, {}).shape() == Shape{0, 3, 12});
}

#ifdef GRADUS_DOUBLE

TEST_CASE("rotary: gradients") {
  const Tensor table = rotary_table(5, 4);
  const TensorFunction turn = [=](const Tensors& x) { return rotary(x[0], table, 1) * x[0]; };
  check_gradient(turn, {{2, 3, 4}});
  check_second_gradient(turn, {{3, 4}});
  const HeadPreparation how{.normalise = true, .table = table};
  check_gradient([=](const Tensors& x) { return prepare_heads(x[0], 2, how); }, {{2, 3, 24}});
  const TensorFunction composed = [=](const Tensors& x) {
    return prepare_heads_composed(x[0], 2, how);
  };
  check_gradient(composed, {{2, 3, 24}});
  check_second_gradient(composed, {{1, 2, 24}});
}

#endif

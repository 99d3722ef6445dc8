#include "nn/layers/recurrent_cell.h"

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/views.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

constexpr Index B = 2, T = 3, H = 5;
constexpr RecurrentKind kKinds[] = {RecurrentKind::kRnn, RecurrentKind::kLstm, RecurrentKind::kGru};

/// recurrent_sequence() by single steps.
Tensor by_steps(RecurrentKind kind, const Tensors& in, bool backwards) {
  Tensors states(T);
  Tensor state = in[3];
  for (Index k = 0; k < T; ++k) {
    const Index t = backwards ? T - 1 - k : k;
    const Tensor x = reshape(slice(in[0], 1, t, t + 1), {B, -1});
    state = recurrent_step(kind, x, linear(slice(state, 1, 0, H), in[1], in[2]), state);
    states[static_cast<std::size_t>(t)] = state;
  }
  return stack(states, 1);
}

std::vector<Shape> shapes_of_sequence(RecurrentKind kind) {
  const Index gates = gates_of(kind) * H;
  return {{B, T, gates}, {H, gates}, {gates}, {B, parts_of(kind) * H}};
}

Tensors drawn_all(const std::vector<Shape>& shapes, Scalar size = 2) {
  Tensors all;
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    all.push_back(drawn(shapes[i], i, -size, size));
  }
  return all;
}

}  // namespace

TEST_CASE("recurrent_step: by hand, at gates that are half open") {
  const Tensor none = zeros({1, 4});
  CHECK(recurrent_step(RecurrentKind::kRnn, zeros({1, 2}), zeros({1, 2}), ones({1, 2})).values() ==
        Values{0, 0});
  // c' = 0.5 * 6 + 0.5 * tanh(0), h' = 0.5 tanh(3).
  const Tensor lstm = recurrent_step(RecurrentKind::kLstm, none, none, tensor({{9, 6}}));
  CHECK_CLOSE(lstm, tensor({{0.5 * std::tanh(3.0), 3}}), kRounding);
  // n = tanh(1 + 0.5 * 2), h' = 0.5 n + 0.5 * 6.
  const Tensor gru =
      recurrent_step(RecurrentKind::kGru, tensor({{0, 0, 1}}), tensor({{0, 0, 2}}), tensor({{6}}));
  CHECK_CLOSE(gru, tensor({{0.5 * std::tanh(2.0) + 3}}), kRounding);
}

TEST_CASE("recurrent_sequence: equals single steps, in either direction, with bias or without") {
  for (const RecurrentKind kind : kKinds) {
    for (const bool backwards : {false, true}) {
      CAPTURE(static_cast<int>(kind));
      CAPTURE(backwards);
      const Tensors in = drawn_all(shapes_of_sequence(kind), 1);
      CHECK_SAME(
          [&](const Tensors& x) {
            return recurrent_sequence(kind, x[0], x[1], x[2], x[3], {.backwards = backwards});
          },
          [&](const Tensors& x) { return by_steps(kind, x, backwards); }, in);
      const Tensor plain =
          recurrent_sequence(kind, in[0], in[1], Tensor(), in[3], {.backwards = backwards});
      CHECK_CLOSE(plain, by_steps(kind, {in[0], in[1], in[2] * 0, in[3]}, backwards), kSameMaths);
    }
  }
}

TEST_CASE("recurrent_sequence: a masked step is as if it were not there") {
  // The first row lacks its last step, the second its first: each equals a sequence of two.
  const IndexTensor mask = indices({{1, 1, 0}, {0, 1, 1}});
  const auto two_of = [](const Tensor& x) {
    const Tensors rows = split(x, 2, 0);
    return concat({slice(rows[0], 1, 0, 2), slice(rows[1], 1, 1, 3)}, 0);
  };
  for (const RecurrentKind kind : kKinds) {
    for (const bool backwards : {false, true}) {
      CAPTURE(static_cast<int>(kind));
      CAPTURE(backwards);
      const Tensors in = drawn_all(shapes_of_sequence(kind), 1);
      CHECK_SAME(
          [&](const Tensors& x) {
            return two_of(recurrent_sequence(kind, x[0], x[1], x[2], x[3],
                                             {.backwards = backwards, .mask = mask}));
          },
          [&](const Tensors& x) {
            return recurrent_sequence(kind, two_of(x[0]), x[1], x[2], x[3],
                                      {.backwards = backwards});
          },
          in);
    }
    const Tensors in = drawn_all(shapes_of_sequence(kind), 1);
    const Tensor y = recurrent_sequence(kind, in[0], in[1], in[2], in[3], {.mask = mask});
    CHECK(slice(slice(y, 0, 0, 1), 1, 2).values() == slice(slice(y, 0, 0, 1), 1, 1, 2).values());
    CHECK(slice(slice(y, 0, 1), 1, 0, 1).values() == slice(in[3], 0, 1).values());
  }
}

TEST_CASE("recurrent_sequence: threads change nothing") {
  for (const RecurrentKind kind : kKinds) {
    const Index hidden = 64, gates = gates_of(kind) * hidden;
    CHECK_THREADS(
        [&](const Tensors& x) { return recurrent_sequence(kind, x[0], x[1], x[2], x[3]); },
        drawn_all({{67, 2, gates}, {hidden, gates}, {gates}, {67, parts_of(kind) * hidden}},
                  Scalar(0.1)));
  }
}

TEST_CASE("recurrent: no step, large numbers") {
  const Tensor y = recurrent_sequence(RecurrentKind::kGru, zeros({B, 0, 3 * H}), zeros({H, 3 * H}),
                                      Tensor(), zeros({B, H}));
  CHECK(y.shape() == Shape{B, 0, H});
  for (const RecurrentKind kind : kKinds) {
    const Tensor huge = full({1, gates_of(kind)}, Scalar(1e4));
    for (const Tensor& x : {huge, -huge}) {
      const Tensor after = recurrent_step(kind, x, x, ones({1, parts_of(kind)}));
      CHECK(std::all_of(after.begin(), after.end(), [](Scalar v) { return std::abs(v) <= 2; }));
    }
  }
}

TEST_CASE("recurrent: shapes that do not fit are named") {
  CHECK_FAILS(recurrent_step(RecurrentKind::kGru, zeros({2, 9}), zeros({2, 9}), zeros({2, 4})),
              "needs from_input and from_state [B, 3 H] and state [B, 1 H], got [2, 9], [2, 9] and "
              "[2, 4]");
  CHECK_FAILS(recurrent_sequence(RecurrentKind::kLstm, zeros({2, 3, 8}), zeros({2, 8}), Tensor(),
                                 zeros({2, 2})),
              "got [2, 3, 8], [2, 8] and [2, 2]");
  // Widths that the gates do not divide: 7 columns are no 4 gates, 5 no 3.
  CHECK_FAILS(recurrent_sequence(RecurrentKind::kLstm, zeros({1, 2, 7}), zeros({1, 7}), Tensor(),
                                 zeros({1, 2})),
              "needs from_input [B, T, 4 H]");
  CHECK_FAILS(recurrent_sequence(RecurrentKind::kGru, zeros({1, 2, 5}), zeros({1, 5}), Tensor(),
                                 zeros({1, 1})),
              "needs from_input [B, T, 3 H]");
  CHECK_FAILS(recurrent_step(RecurrentKind::kLstm, zeros({2, 7}), zeros({2, 7}), zeros({2, 2})),
              "needs from_input and from_state [B, 4 H]");
  CHECK_FAILS(recurrent_sequence(RecurrentKind::kRnn, zeros({2, 3, 4}), zeros({4, 4}), Tensor(),
                                 zeros({2, 4}), {.mask = indices({1, 1, 0})}),
              "needs a mask [B, T], got from_input [2, 3, 4] and mask [3]");
  CHECK_FAILS(recurrent_sequence(RecurrentKind::kRnn, zeros({2, 3, 4}), zeros({4, 4}), zeros({3}),
                                 zeros({2, 4})),
              "needs b [1 H], got w [4, 4] and b [3]");
}

TEST_CASE("recurrent: undefined tensors are refused") {
  constexpr RecurrentKind kRnn = RecurrentKind::kRnn;
  const Tensor none, row = ones({1, 2}), rows = ones({1, 3, 2}), w = ones({2, 2});
  CHECK_FAILS(recurrent_step(kRnn, none, row, row), "recurrent_step: from_input is undefined");
  CHECK_FAILS(recurrent_step(kRnn, row, none, row), "recurrent_step: from_state is undefined");
  CHECK_FAILS(recurrent_step(kRnn, row, row, none), "recurrent_step: state is undefined");
  CHECK_FAILS(recurrent_sequence(kRnn, none, w, none, row),
              "recurrent_sequence: from_input is undefined");
  CHECK_FAILS(recurrent_sequence(kRnn, rows, none, none, row),
              "recurrent_sequence: w is undefined");
  CHECK_FAILS(recurrent_sequence(kRnn, rows, w, none, none),
              "recurrent_sequence: state is undefined");
  CHECK(recurrent_sequence(kRnn, rows, w, none, row).defined());
}

#ifdef GRADUS_DOUBLE
TEST_CASE("recurrent: gradients by finite differences") {
  for (const RecurrentKind kind : kKinds) {
    for (const bool backwards : {false, true}) {
      const IndexTensor mask = indices({{1, 0, 1}, {0, 1, 1}});
      check_gradient(
          [&](const Tensors& x) {
            return recurrent_sequence(kind, x[0], x[1], x[2], x[3],
                                      {.backwards = backwards, .mask = mask});
          },
          shapes_of_sequence(kind), {.low = -1, .high = 1});
    }
  }
}

TEST_CASE("recurrent: gradients of gradients") {
  for (const RecurrentKind kind : kKinds) {
    check_second_gradient(
        [&](const Tensors& x) { return recurrent_sequence(kind, x[0], x[1], x[2], x[3]); },
        {{1, 2, gates_of(kind) * 2},
         {2, gates_of(kind) * 2},
         {gates_of(kind) * 2},
         {1, parts_of(kind) * 2}},
        {.low = -1, .high = 1});
  }
}
#endif

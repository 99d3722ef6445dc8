#include "autograd/fused/rope.h"
#include "autograd/ops/reduce.h"
#include "nn/layers/position.h"
#include "tutorials/12_positions/exercises.h"
#include "tutorials/common/check.h"

namespace {

/// Interleaved pairs (sine, cosine) as rotary() has its pairs: cosines' partners first.
Tensor in_halves(const Tensor& x) {
  const Index rows = x.size(0), half = x.size(1) / 2;
  Tensor y(x.shape());
  for (Index t = 0; t < rows; ++t) {
    for (Index k = 0; k < half; ++k) {
      y.mutable_data()[t * 2 * half + k] = x.at({t, 2 * k + 1});
      y.mutable_data()[t * 2 * half + half + k] = x.at({t, 2 * k});
    }
  }
  return y;
}

void check_shift(Index distance, Index channels) {
  const Tensor table = sinusoidal_table(40, channels);
  const Tensor m = my_shift(distance, channels);
  if (!m.defined() || m.shape() != Shape{channels, channels}) {
    red("my_shift must be [" + std::to_string(channels) + ", " + std::to_string(channels) + "], " +
        shape_got(m));
  }
  const Tensor back = slice(sinusoidal_table(40 + distance, channels), 0, 0, 40);
  const Tensor start = slice(table, 0, distance, 40 - distance);
  // What the two likely mistakes make of the same rows.
  Tensor one_angle(start.shape());
  for (Index t = 0; t < start.size(0); ++t) {
    const double c = std::cos(double(distance)), s = std::sin(double(distance));
    for (Index k = 0; k < channels; k += 2) {
      const double sine = start.at({t, k}), cosine = start.at({t, k + 1});
      one_angle.mutable_data()[t * channels + k] = static_cast<Scalar>(sine * c + cosine * s);
      one_angle.mutable_data()[t * channels + k + 1] = static_cast<Scalar>(cosine * c - sine * s);
    }
  }
  const Tensor halves = concatenated_sinusoidal_table(40, channels);
  if (distance > 0 &&
      is_close(matmul(slice(halves, 0, 0, 40 - distance), m), slice(halves, 0, distance))) {
    red("pairs stand in halves: here columns 2k and 2k + 1 are a pair");
  }
  expect(
      "places " + std::to_string(distance) + " to " + std::to_string(39 - distance) +
          ", moved by " + std::to_string(distance),
      matmul(start, m), slice(table, 0, 2 * distance),
      {{slice(back, 0, 0, 40 - 2 * distance),
        "it moves back: rows are multiplied from the left, so M is the transposed of the text's"},
       {one_angle, "all pairs turn by the same angle: pair k turns by distance * w_k"}});
}

}  // namespace

int main() {
  return run_check([] {
    check_shift(3, 6);
    check_shift(7, 16);
    const Tensor q = normal({6, 8}, {.seed = 1}), k = normal({4, 8}, {.seed = 2});
    const auto product = [](const Tensor& a, const Tensor& b) { return matmul(a, b, {.b = true}); };
    const auto turn = [](const Tensor& x) {
      return rotary(in_halves(x), rotary_table(x.size(0), x.size(1)));
    };
    const auto turn_back = [](const Tensor& x) {
      const Tensor table = rotary_table(x.size(0), x.size(1));
      const std::vector<Tensor> parts = split(table, 2, 1);
      return rotary(in_halves(x), concat({parts[0], -parts[1]}, 1));
    };
    expect("scores of 6 queries and 4 keys", my_turned_scores(q, k), product(turn(q), turn(k)),
           {{product(turn(q), in_halves(k)), "only the queries were turned: keys have places too"},
            {product(in_halves(q), turn(k)), "only the keys were turned: queries have places too"},
            {product(q, k), "nothing was turned"},
            {product(turn(q), turn(k)) / std::sqrt(Scalar(8)),
             "the scores are divided by sqrt(C); here they stay as they are"},
            {product(turn(q), turn_back(k)), "queries and keys turn against each other"},
            {product(turn_back(q), turn_back(k)), "all turn the wrong way round"},
            {product(q + sinusoidal_table(6, 8), k + sinusoidal_table(4, 8)),
             "positions were added, not turned"}});
    const Tensor same = broadcast_to(normal({1, 8}, {.seed = 3}), {9, 8});
    const Tensor scores = my_turned_scores(same, same);
    for (Index t = 1; t < 9; ++t) {
      for (Index s = 1; s < 9; ++s) {
        if (std::abs(scores.at({t, s}) - scores.at({t - 1, s - 1})) > 1e-4) {
          red("with equal queries and keys, the score must depend on the distance alone");
        }
      }
    }
    green("with equal queries and keys, the score depends on the distance alone");
  });
}

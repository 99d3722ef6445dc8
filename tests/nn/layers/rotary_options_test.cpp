#include "nn/layers/rotary_options.h"

#include <cmath>

#include "autograd/ops/rotary.h"
#include "nn/layers/position.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

Tensor frequencies(const RotaryOptions& options, Index width, Index length = 0) {
  const std::vector<double> all = rotary_frequencies(options, width, length);
  Tensor y(Shape{std::ssize(all)});
  std::ranges::transform(all, y.mutable_data(), [](double x) { return static_cast<Scalar>(x); });
  return y;
}

}  // namespace

TEST_CASE("rotary frequencies: without scaling, powers of the base") {
  CHECK_CLOSE(frequencies({.base = 100}, 4), tensor({1, 0.1}));
  CHECK(rotary_table(7, 4, RotaryOptions{.base = 100}).values() ==
        rotary_table(7, 4, 100).values());
}

TEST_CASE("rotary frequencies: linear scaling divides all by the factor") {
  CHECK_CLOSE(frequencies({.base = 100, .scaling = RotaryScaling::kLinear, .factor = 4}, 4),
              tensor({0.25, 0.025}));
}

TEST_CASE("rotary frequencies: dynamic scaling enlarges the base beyond the trained length") {
  const RotaryOptions options{
      .base = 100, .scaling = RotaryScaling::kDynamic, .factor = 2, .trained_length = 4};
  CHECK_CLOSE(frequencies(options, 4, 3), tensor({1, 0.1}));
  CHECK_CLOSE(frequencies(options, 4, 4), tensor({1, 0.1}));
  CHECK_CLOSE(frequencies(options, 4, 8), tensor({1, Scalar(1) / 30}));  // base 100 (2 2 - 1)^2
  CHECK(!options.changes_at(4));
  CHECK(options.changes_at(5));
  KeySequence keys(1);
  const PositionalEncoding positions(
      {.kind = Position::kRotary, .max_length = 8, .channels = 4, .rotary = options}, keys);
  CHECK(positions.angles_for(4).values() == rotary_table(4, 4, 100).values());
  CHECK_CLOSE(positions.angles_for(8), rotary_table(8, 4, 900));
}

TEST_CASE("rotary frequencies: Llama 3 divides the slow ones, and those between by a share") {
  // Within 100 positions, the frequencies 1, 0.1 and 0.01 make 15.9, 1.59 and 0.159 turns.
  const RotaryOptions options{
      .base = 1000, .scaling = RotaryScaling::kLlama3, .factor = 8, .trained_length = 100};
  const double kept = (100 * 0.1 / (2 * std::acos(-1)) - 1) / 3;
  CHECK_CLOSE(frequencies(options, 6),
              tensor({1, static_cast<Scalar>(0.1 * (kept + (1 - kept) / 8)), 0.00125}));
}

TEST_CASE("rotary frequencies: YaRN's ramp over the channels, and its factor on the scores") {
  // The pair that makes 32 turns within 100 positions would be number -0.3, the pair that makes one
  // turn number 1.2: the ramp goes from 0 to 2.
  RotaryOptions options{.scaling = RotaryScaling::kYarn, .factor = 4, .trained_length = 100};
  CHECK_CLOSE(frequencies(options, 8), tensor({1, 0.0625, 0.0025, 0.00025}));
  const Tensor table = rotary_table(2, 8, options);
  CHECK(table.at({0, 0}) == doctest::Approx(0.1 * std::log(4) + 1));
  options.attention_factor = 1.5;
  CHECK(rotary_table(2, 8, options).at({1, 0}) == doctest::Approx(1.5 * std::cos(1)));
  options.whole_channels = false;  // from 0 to 1.2018
  const double end = 8 * std::log(100 / (2 * std::acos(-1))) / (2 * std::log(10000));
  CHECK(frequencies(options, 8).at({1}) == doctest::Approx(0.1 * (1 / end / 4 + 1 - 1 / end)));
}

TEST_CASE("rotary frequencies: options that no text could have are refused") {
  using enum RotaryScaling;
  CHECK_FAILS(rotary_frequencies({.base = 1}, 4), "rotary: the base must be above 1 and finite");
  CHECK_FAILS(rotary_frequencies({.base = INFINITY}, 4), "got inf");
  CHECK_FAILS(rotary_frequencies({.scaling = kLinear, .factor = 0.5}, 4),
              "the factor of linear scaling must be at least 1 and finite, got 0.5");
  CHECK_FAILS(rotary_frequencies({.scaling = kYarn, .factor = 2}, 4),
              "yarn scaling needs the length of texts in training, got 0");
  CHECK_FAILS(rotary_frequencies({.scaling = kDynamic, .factor = 2, .trained_length = 4}, 2),
              "dynamic scaling needs heads of more than 2 channels, got 2");
  CHECK_FAILS(rotary_frequencies(
                  {.scaling = kLlama3, .factor = 2, .trained_length = 4, .slow = 4, .fast = 4}, 4),
              "llama3 scaling needs limits with 0 < slow < fast, got 4 and 4");
  CHECK_FAILS(
      rotary_frequencies(
          {.scaling = kYarn, .factor = 2, .trained_length = 4, .beta_slow = 2, .beta_fast = 1}, 4),
      "yarn scaling needs limits with 0 < beta_slow <= beta_fast, got 2 and 1");
  CHECK_FAILS(rotary_frequencies(
                  {.scaling = kYarn, .factor = 2, .trained_length = 4, .attention_factor = -1}, 4),
              "the attention factor must be finite and not negative, got -1");
  CHECK_FAILS(rotary_frequencies({}, 3), "needs heads of an even width, got 3");
}

#include "tutorials/12_positions/exercises.h"
#include "tutorials/common/guards.h"
#include "tutorials/common/letters.h"
#include "tutorials/common/show.h"

namespace {

using gradus::green, gradus::red;

/// How the positions alone attend to each other: [T, T].
Tensor weights_of(Index length, Index channels) {
  KeySequence keys(1);
  MultiHeadAttention attention(channels, 1, keys, {});
  look_back(attention, channels);
  const NoGrad no_grad;
  const Tensor p = sinusoidal_table(length, channels);
  return attention_weights(attention.query(p), attention.key(p));
}

void check_weights(Index length, Index channels) {
  const std::string what =
      "rows of " + std::to_string(length) + ", " + std::to_string(channels) + " channels";
  const Tensor weights = weights_of(length, channels);
  gradus::must_be_finite(what, weights, "scores too large for a float");
  for (Index t = 1; t < length; ++t) {
    const Scalar* row = weights.data() + t * length;
    const Index best = std::max_element(row, row + length) - row;
    if (best == t - 1 && row[best] > Scalar(0.9)) continue;
    const std::string cause = best == t - 1   ? "the scores of neighbours are too close for softmax"
                              : best == t     ? "it looks at itself"
                              : best == t + 1 ? "it looks forward: rows come from the left"
                                              : "the largest weight is not at t - 1";
    red(what, ": position ", t, " gives ", row[t - 1], " to ", t - 1, ", and its largest weight, ",
        row[best], ", to ", best, "\nlikely cause: ", cause);
  }
  green(what, ": each position looks at the one before");
}

/// One attention whose queries and keys read the positions and whose values read the letters.
struct Reader {
  Reader(bool mine, KeySequence& keys)
      : mine(mine), letter(8, 32, keys), attention(32, 1, keys, {}), answer(32, 8, keys) {
    if (mine) look_back(attention, 32);
  }
  Tensor operator()(const IndexTensor& letters) const {
    const Tensor e = letter(letters), p = zeros(e.shape()) + sinusoidal_table(e.size(1), 32);
    const Tensor keys = split_heads(attention.key(p), 1);
    const Tensor values = split_heads(attention.value(e), 1);
    return answer(attention.attend({keys, values}, p, {}));
  }
  void fields(auto&& f) {
    if (!mine) f("query", attention.query), f("key", attention.key);
    f("letter", letter), f("value", attention.value), f("output", attention.output);
    f("answer", answer);
  }
  bool mine;
  Embedding letter;
  MultiHeadAttention attention;
  Linear answer;
};

void check_training() {
  for (const bool mine : {true, false}) {
    KeySequence keys(1);
    Reader model(mine, keys);
    AdamW optimiser(parameters(model), {.weight_decay = 0});
    const Schedule schedule{.rate = 0.01, .floor = 0.001, .warmup = 20, .decay = 200};
    train(optimiser, {.steps = 200, .schedule = schedule}, [&](int step) {
      const Batch rows = course::letter_before(16, 8, {1, static_cast<std::uint32_t>(step)});
      return cross_entropy(model(rows.inputs), rows.targets);
    });
    const NoGrad no_grad;
    const Batch near = course::letter_before(50, 8, {.seed = 1000}),
                far = course::letter_before(50, 32, {.seed = 1000});
    const double in_8 = course::accuracy(model(near.inputs), near.targets);
    const double in_32 = course::accuracy(model(far.inputs), far.targets);
    const std::string numbers = gradus::detail::text(
        mine ? "your head, the rest trained on rows of 8: " : "all trained on rows of 8: ", in_8,
        " right in new rows of 8, ", in_32, " in rows of 32");
    if (mine && !(in_8 > 0.95 && in_32 > 0.95)) red(numbers);
    green(numbers);
  }
}

}  // namespace

CHECK_ANSWER() {
  check_weights(8, 32);
  check_weights(200, 32);
  check_weights(40, 64);
  check_weights(40, 16);
  check_training();
}

// Exercise 08.6, 5 minutes: by symbol or by position
//
// Guess before you run. Look at the attention weights away from the diagonal. Do source positions
// that hold the symbol just written get more weight than those that hold another? Once for the dot
// product, once for "location".
#include <cstdio>
#include <cstdlib>

#include "tutorials/pocket/recurrent.h"

using namespace pocket;

/// Rows of 8 random symbols, and the inputs and targets of their reversal.
struct Reversal {
  explicit Reversal(Index rows, const RandomKey& key) {
    Tokens x, from, to;
    for (Index i = 0; i < rows * 8; ++i) x.push_back(int(uniform_index(key, i, 8)));
    for (Index i = 0; i < rows * 8; ++i) {
      to.push_back(x[i + 7 - 2 * (i % 8)]);
      from.push_back(i % 8 == 0 ? 8 : to[i - 1]);  // 8 is "begin"
    }
    source = IndexTensor({rows, 8}, x), inputs = IndexTensor({rows, 8}, from);
    targets = IndexTensor({rows, 8}, to);
  }
  IndexTensor source, inputs, targets;
};

void print_weights(const char* name, AlignmentKind kind, std::uint64_t seed) {
  KeySequence keys(seed);
  RecurrentSeq2Seq model({.source_vocab = 8,
                          .target_vocab = 9,
                          .channels = 32,
                          .hidden = 32,
                          .alignment = kind,
                          .longest = 8},
                         keys);
  AdamW optimiser(parameters(model), {.weight_decay = 0});
  train(optimiser,
        {.steps = 200, .schedule = {.rate = 0.02, .floor = 0, .warmup = 20, .decay = 200}},
        [&](int step) {
          const Reversal x(16, {seed, std::uint32_t(step)});
          return cross_entropy(model(x.source, x.inputs).logits, x.targets);
        });
  const NoGrad no_grad;
  const Reversal x(200, {.seed = 1, .step = 1 << 30});
  const Tensor weights = model(x.source, x.inputs).weights;
  double total[2] = {}, count[2] = {};
  for (Index i = 0; i < 200 * 64; ++i) {
    const Index row = i / 64, target = i / 8 % 8, position = i % 8;
    if (target == 0 || std::abs(position - (7 - target)) <= 2) continue;  // near the diagonal
    const auto there = x.source.data()[row * 8 + position];
    if (there == x.targets.data()[row * 8 + target]) continue;     // the symbol to write
    const bool same = there == x.inputs.data()[row * 8 + target];  // the symbol just written
    total[same] += double(weights.data()[i]), ++count[same];
  }
  std::printf("%-8s  seed %d  the symbol just written %.4f  another %.4f\n", name, int(seed),
              total[1] / count[1], total[0] / count[0]);
}

int main() {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) print_weights("dot", AlignmentKind::kDot, seed);
  for (const std::uint64_t seed : {1, 2, 3, 4, 5})
    print_weights("location", AlignmentKind::kLocation, seed);
}

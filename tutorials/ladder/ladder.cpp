// The whole ladder: `ladder FABLES`. `ladder FABLES --long` trains the reader's GPT on the reader's
// engine and lets it write.
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <cstring>

#include "one_head.h"
#include "pocket/write.h"
#include "stack.h"

namespace {

using namespace ladder;

void climb_all(const Fables& fables) {
  const Index vocab = fables.characters.vocab_size();
  std::printf("%-16s loss  three seeds     time    writes\n", "");
  climb(fables, "token alone", [&](auto& keys) { return TokenAlone(vocab, keys); });
  climb(fables, "one causal head", [&](auto& keys) { return OneHead(vocab, keys); });
  climb(fables, "four heads", [&](auto& keys) { return ManyHeads(vocab, 4, false, keys); });
  climb(fables, "positions", [&](auto& keys) { return ManyHeads(vocab, 4, true, keys); });
  const auto stack = [&](const char* name, const Parts& parts) {
    climb(fables, name, [&](auto& keys) { return Stack(vocab, parts, keys); });
  };
  stack("feed-forward", {});
  stack("residual", {.residual = true});
  stack("norm", {.residual = true, .norm = true});
  stack("four blocks", {.residual = true, .norm = true, .blocks = 4});
  stack("without both", {.blocks = 4});
}

void train_long(const Fables& fables) {
  const int steps = 3000, batch = 16;
  Gpt model({.vocab_size = fables.characters.vocab_size(),
             .n_positions = 64,
             .n_layer = 4,
             .n_head = 4,
             .n_embd = 128,
             .dropout = Scalar(0.1)},
            1);
  const std::vector<NamedTensor> all = parameters(model);
  std::printf("%lld parameters\n", static_cast<long long>(count(all)));
  AdamW optimiser(all, {});
  const auto report = [&](int step) {
    if (step % 500 != 0) return;
    std::printf("step %4d  held-out loss %.3f\n", step, mean_loss(fables.held_out, 64, model));
    std::fflush(stdout);
  };
  const TrainOptions options{
      .steps = steps,
      .schedule = {.rate = 2e-3, .floor = 1e-4, .warmup = 100, .decay = steps},
      .before_step = report};
  train(optimiser, options, [&](int step) {
    const RandomKey key{1, static_cast<std::uint32_t>(step)};
    const auto [inputs, targets] = random_batch(fables.train, batch, 64, key);
    return model.loss(inputs, targets);
  });
  report(steps);
  const Tokens text =
      generate(model, fables.characters.encode("\n"), 800, {.temperature = 0.7}, {.seed = 1});
  std::printf("\n%s\n", fables.characters.decode(text).c_str());
}

}  // namespace

int main(int argc, char** argv) {
#ifdef M_TRIM_THRESHOLD
  // A step frees as much memory as the next one takes. To give it back in between costs a quarter
  // of the time.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  const Fables fables(argc > 1 ? argv[1] : "nn/data/corpus/fables.txt");
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    train_long(fables);
  } else {
    climb_all(fables);
  }
}

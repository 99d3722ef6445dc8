// The whole ladder: `build/tutorials/ladder > tutorials/ladder/ladder.txt`, which takes some
// minutes. `ladder --long` trains the reader's GPT on the reader's engine and lets it write.
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <cstring>

#include "one_head.h"
#include "pocket/write.h"
#include "stack.h"

namespace {

using namespace ladder;

/// The table as each chapter shows it: ladder.txt, which the pages quote, is what this prints.
void climb_all(const Fables& fables) {
  const Index vocab = fables.characters.vocab_size();
  std::string table = "                 loss  three seeds   writes\n";
  const auto part = [&](const char* chapter) {
    std::printf("[upto_%s]\n%s[upto_%s]\n\n", chapter, table.c_str(), chapter);
  };
  const auto stack = [&](const char* name, const Parts& parts) {
    table += climb(fables, name, [&](auto& keys) { return Stack(vocab, parts, keys); });
  };
  table += climb(fables, "token alone", [&](auto& keys) { return TokenAlone(vocab, keys); });
  part("07");
  table += climb(fables, "one causal head", [&](auto& keys) { return OneHead(vocab, keys); });
  part("09");
  const auto heads = [&](bool positions) {
    return [&, positions](auto& keys) { return ManyHeads(vocab, 4, positions, keys); };
  };
  table += climb(fables, "four heads", heads(false));
  part("10");
  table += climb(fables, "positions", heads(true));
  part("12");
  stack("feed-forward", {});
  stack("residual", {.residual = true});
  stack("norm", {.residual = true, .norm = true});
  part("14");
  stack("four blocks", {.residual = true, .norm = true, .blocks = 4});
  stack("without both", {.blocks = 4});
  part("15");
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
  const Fables fables;
  if (argc > 1 && std::strcmp(argv[1], "--long") == 0) {
    train_long(fables);
  } else {
    climb_all(fables);
  }
}

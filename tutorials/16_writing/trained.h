/// @file
/// The model that chapter 16 writes with.
#pragma once

#include "pocket/write.h"
#include "tutorials/ladder/ladder.h"

namespace pocket {

using ladder::Tales;

// [trained]
/// A small GPT, trained on the tales. 250 steps take seconds.
inline Gpt trained_gpt(const Tales& tales, int steps) {
  GptConfig config{.vocab_size = tales.characters.vocab_size(), .n_positions = 64};
  config.n_layer = 2, config.n_head = 4, config.n_embd = 64, config.dropout = 0;
  Gpt model(config, 1);
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 5e-3, .floor = 5e-4, .warmup = 20, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    const auto [inputs, targets] =
        random_batch(tales.train, 8, 64, {1, static_cast<std::uint32_t>(step)});
    return model.loss(inputs, targets);
  });
  return model;
}
// [trained]

}  // namespace pocket

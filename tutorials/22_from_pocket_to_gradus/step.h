/// @file
/// The measured code, compiled twice: on pocket, and on gradus's engine in another namespace.
#pragma once

#include "pocket/gpt.h"
#include "tutorials/22_from_pocket_to_gradus/engines.h"

namespace pocket {

// [Trained]
/// A GPT, its optimiser and a batch from the fables.
struct Trained {
  explicit Trained(const Sizes& s) : text(read_text(COURSE_FABLES)), model(config_for(s), 1) {
    const Tokens tokens = CharTokenizer::learn(text).encode(text);
    batch = random_batch(tokens, s.rows, s.length, {.seed = 1});
  }
  double step() {
    optimiser.zero_grad();
    const Tensor loss = model.loss(batch.inputs, batch.targets);
    backward(loss);
    passed("rest");
    const double norm = optimiser.gradient_norm();
    passed("norm");
    optimiser.step(Scalar(1e-3), clip_scale(norm, 1));
    passed("optimiser");
    return loss.item();
  }
  GptConfig config_for(const Sizes& s) const {
    GptConfig config{.vocab_size = CharTokenizer::learn(text).vocab_size()};
    config.n_positions = s.length, config.n_layer = s.layers;
    config.n_head = s.heads, config.n_embd = s.channels, config.dropout = 0;
    return config;
  }
  std::string text;
  Gpt model;
  AdamW optimiser{parameters(model), {}};
  Batch batch;
};
// [Trained]

// [ops]
/// Ops with the sizes of this model, and two of larger ones.
inline std::vector<Measured> ops() {
  const auto product = [](const char* name, Shape a, Shape b, Index m, Index n, Index k) {
    const Tensor x = ones(a), y = ones(b);
    const double count = double(x.size()) / double(m * k);
    return Measured{name, count * double(2 * m * n * k), 4 * count * double(m * k + k * n + m * n),
                    [=] { matmul(x, y); }};
  };
  const Tensor x = ones({512, 64}), y = ones({512, 64});
  return {{"add", double(x.size()), double(12 * x.size()), [=] { x + y; }},
          product("one row", {1, 4096}, {4096, 4096}, 1, 4096, 4096),
          product("8 rows", {8, 4096}, {4096, 4096}, 8, 4096, 4096),
          product("scores", {64, 32, 16}, {64, 16, 32}, 32, 32, 16),
          product("linear", {512, 64}, {64, 256}, 512, 256, 64),
          product("large", {768, 768}, {768, 768}, 768, 768, 768)};
}
// [ops]

}  // namespace pocket

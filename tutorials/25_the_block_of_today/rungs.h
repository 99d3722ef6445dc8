/// @file
/// Chapter 25: the ladder's four blocks, changed one part at a time from GPT-2's to Llama's.
#pragma once

#include "figures.h"
#include "pocket/llama.h"
#include "tutorials/common/time.h"
#include "tutorials/ladder/stack.h"

using namespace pocket;

// [rung]
/// The parts that are Llama's. Without any, this is the ladder's row "four blocks".
struct Parts {
  bool rms = false, swiglu = false, rotary = false;
  int kv_heads = 4;
  bool bias = true;  // of the attention
};

/// A norm of either kind.
struct Norm {
  Norm(const Parts& parts, Index channels) {
    parts.rms ? void(rms = RmsNorm(channels)) : void(layer = LayerNorm(channels));
  }
  Tensor operator()(const Tensor& x) const { return rms.weight.defined() ? rms(x) : layer(x); }
  void fields(auto&& f) { f("layer", layer), f("rms", rms); }
  LayerNorm layer;
  RmsNorm rms;
};

/// A block with either kind of each part.
struct Layer {
  Layer(const Parts& parts, Index channels, const Tensor& table, KeySequence& keys)
      : attention(channels, 4, parts.kv_heads, keys, parts.bias),
        norm_1(parts, channels),
        norm_2(parts, channels) {
    if (parts.swiglu) gated = SwiGlu(channels, 8 * channels / 3, keys);
    if (!parts.swiglu) plain = FeedForward(channels, 4 * channels, keys);
    attention.table = table;
  }
  Tensor operator()(const Tensor& x) const {
    const Tensor y = x + attention(norm_1(x)), z = norm_2(y);
    return y + (gated.up_proj.weight.defined() ? gated(z) : plain(z));
  }
  void fields(auto&& f) {
    f("attention", attention), f("norm_1", norm_1), f("norm_2", norm_2);
    f("plain", plain), f("gated", gated);
  }
  GroupedAttention attention;
  Norm norm_1, norm_2;
  FeedForward plain;
  SwiGlu gated;
};

struct Rung {
  Rung(Index vocab_size, const Parts& parts, KeySequence& keys)
      : embeddings(vocab_size, !parts.rotary, keys),
        norm(parts, ladder::kChannels),
        output(ladder::kChannels, vocab_size, keys) {
    Tensor table;  // none: no rotation
    if (parts.rotary) table = rotary_table(ladder::kLength, ladder::kChannels / 4);
    for (int i = 0; i < 4; ++i) layers.emplace_back(parts, ladder::kChannels, table, keys);
  }
  Tensor operator()(const IndexTensor& tokens) const {
    Tensor x = embeddings(tokens);
    for (const Layer& layer : layers) x = layer(x);
    return output(norm(x));
  }
  void fields(auto&& f) {
    f("embeddings", embeddings), f("layers", layers), f("norm", norm), f("output", output);
  }
  ladder::Embeddings embeddings;
  std::vector<Layer> layers;
  Norm norm;
  Linear output;
};
// [rung]

// [climb]
/// The rows of the table. Each has the parts of the row before it, and one more.
const std::vector<std::pair<const char*, Parts>> kRungs = {
    {"GPT-2's block", {}},
    {"RMS norm", {.rms = true}},
    {"SwiGLU", {.rms = true, .swiglu = true}},
    {"rotary", {.rms = true, .swiglu = true, .rotary = true}},
    {"two key heads", {.rms = true, .swiglu = true, .rotary = true, .kv_heads = 2}},
    {"no biases", {.rms = true, .swiglu = true, .rotary = true, .kv_heads = 2, .bias = false}}};

/// `./run chapter 25 --long`: five seeds each.
inline void climb() {
  const ladder::Tales tales;
  const Index vocab = tales.characters.vocab_size();
  const Part part("ladder");
  for (const auto& [name, parts] : kRungs) {
    const auto make = [&, parts = parts](KeySequence& keys) { return Rung(vocab, parts, keys); };
    Seeds losses;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      losses.push_back(ladder::trained(tales, make, seed).first);
    }
    KeySequence keys(1);
    Layer layer(parts, ladder::kChannels, {}, keys);
    const Index cache = 4 * 2 * layer.attention.k_proj.weight.size(1);  // of four blocks
    print_rung(name, losses, count(parameters(layer)), cache);
  }
}
// [climb]

// [step_time]
/// The shortest time of a training step in each row, of twenty steps.
inline void step_time() {
  const ladder::Tales tales;
  const Part part("step_time");
  const auto batch = random_batch(tales.train, ladder::kBatch, ladder::kLength, {1});
  for (const auto& [name, parts] : kRungs) {
    KeySequence keys(1);
    Rung model(tales.characters.vocab_size(), parts, keys);
    AdamW optimiser(parameters(model), {});
    print_step(name, 1e3 * course::shortest_seconds(20, [&] {
                       train(optimiser, {.steps = 1}, [&](int) {
                         return cross_entropy(model(batch.inputs), batch.targets);
                       });
                     }));
  }
}
// [step_time]

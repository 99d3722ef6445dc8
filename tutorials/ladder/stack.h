/// @file
/// The ladder's rows of chapters 14 and 15: blocks, with and without their parts.
#pragma once

#include "many_heads.h"
#include "pocket/block.h"

namespace ladder {

/// The parts that are switched on, in addition to four heads, positions and the feed-forward
/// network.
struct Parts {
  bool residual = false, norm = false;
  int blocks = 1;
};

/// A block of these parts.
struct Layer {
  Layer(const Parts& parts, KeySequence& keys)
      : parts(parts),
        attention(kChannels, 4, keys, {}),
        feed_forward(kChannels, 4 * kChannels, keys),
        norm_1(kChannels),
        norm_2(kChannels) {}
  Tensor operator()(const Tensor& x) const {
    const auto branch = [&](const Tensor& x, const LayerNorm& norm, const auto& f) {
      const Tensor y = f(parts.norm ? norm(x) : x);
      return parts.residual ? x + y : y;
    };
    const Tensor y =
        branch(x, norm_1, [&](const Tensor& x) { return attention(x, x, {.causal = true}); });
    return branch(y, norm_2, feed_forward);
  }
  void fields(auto&& f) {
    f("attention", attention);
    f("feed_forward", feed_forward);
    if (parts.norm) f("norm_1", norm_1);
    if (parts.norm) f("norm_2", norm_2);
  }
  Parts parts;
  MultiHeadAttention attention;
  FeedForward feed_forward;
  LayerNorm norm_1, norm_2;
};

struct Stack {
  Stack(Index vocab_size, const Parts& parts, KeySequence& keys)
      : parts(parts),
        embeddings(vocab_size, true, keys),
        norm(kChannels),
        output(kChannels, vocab_size, keys) {
    for (int i = 0; i < parts.blocks; ++i) layers.emplace_back(parts, keys);
  }
  Tensor operator()(const IndexTensor& tokens) const {
    Tensor x = embeddings(tokens);
    for (const Layer& layer : layers) x = layer(x);
    return output(parts.norm ? norm(x) : x);
  }
  void fields(auto&& f) {
    f("embeddings", embeddings);
    f("layers", layers);
    if (parts.norm) f("norm", norm);
    f("output", output);
  }
  Parts parts;
  Embeddings embeddings;
  std::vector<Layer> layers;
  LayerNorm norm;
  Linear output;
};

}  // namespace ladder

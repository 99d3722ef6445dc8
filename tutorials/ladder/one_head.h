/// @file
/// The ladder's row of chapter 09: one causal head.
#pragma once

#include "ladder.h"
#include "pocket/attention.h"

namespace ladder {

struct OneHead {
  OneHead(Index vocab_size, KeySequence& keys)
      : embedding(vocab_size, kChannels, keys),
        query(kChannels, kChannels, keys),
        key(kChannels, kChannels, keys),
        value(kChannels, kChannels, keys),
        output(kChannels, vocab_size, keys) {}
  // [forward]
  Tensor operator()(const IndexTensor& tokens) const {
    const Tensor x = embedding(tokens);
    return output(scaled_dot_product_attention(query(x), key(x), value(x), {.causal = true}));
  }
  // [forward]
  void fields(auto&& f) {
    f("embedding", embedding);
    f("query", query);
    f("key", key);
    f("value", value);
    f("output", output);
  }
  Embedding embedding;
  Linear query, key, value, output;
};

}  // namespace ladder

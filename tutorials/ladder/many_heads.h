/// @file
/// The ladder's rows of chapters 10 and 12: many heads, and a vector for each position.
#pragma once

#include <numeric>

#include "ladder.h"
#include "pocket/attention.h"

namespace ladder {

/// A vector for each token, and if wanted one for each position.
struct Embeddings {
  Embeddings(Index vocab_size, bool with_positions, KeySequence& keys)
      : tokens(vocab_size, kChannels, keys) {
    if (with_positions) positions = Embedding(kLength, kChannels, keys);
  }
  Tensor operator()(const IndexTensor& x) const {
    if (!positions.weight.defined()) return tokens(x);
    Tokens numbers(static_cast<std::size_t>(x.size(1)));
    std::iota(numbers.begin(), numbers.end(), 0);
    return tokens(x) + positions(IndexTensor({x.size(1)}, numbers));
  }
  void fields(auto&& f) {
    f("tokens", tokens);
    f("positions", positions);
  }
  Embedding tokens, positions;
};

struct ManyHeads {
  ManyHeads(Index vocab_size, int heads, bool with_positions, KeySequence& keys)
      : embeddings(vocab_size, with_positions, keys),
        attention(kChannels, heads, keys, {}),
        output(kChannels, vocab_size, keys) {}
  // [forward]
  Tensor operator()(const IndexTensor& tokens) const {
    const Tensor x = embeddings(tokens);
    return output(attention(x, x, {.causal = true}));
  }
  // [forward]
  void fields(auto&& f) {
    f("embeddings", embeddings);
    f("attention", attention);
    f("output", output);
  }
  Embeddings embeddings;
  MultiHeadAttention attention;
  Linear output;
};

}  // namespace ladder

//! [16 choose]
// Writes text with a GPT, one token after another.
#pragma once

#include <numeric>

#include "gpt.h"

namespace pocket {

struct SampleOptions {
  double temperature = 0.8;  // divides the logits; 0 takes the most probable token
  int top_k = 200;           // only the k most probable tokens; 0 for all
  double top_p = 1;          // only the most probable that together reach this probability
};

/// Chooses a token with temperature, then top_k, then top_p. The draw is uniform in [0, 1).
inline std::int32_t choose_token(const std::vector<Scalar>& logits, const SampleOptions& options,
                                 Scalar draw) {
  std::vector<std::int32_t> order(logits.size());  // the most probable first
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](auto token) { return logits[token]; });
  //! [16.1]
  if (options.temperature == 0) return order[0];
  if (options.top_k > 0 && options.top_k < std::ssize(order)) order.resize(options.top_k);
  std::vector<double> weights;
  for (const std::int32_t token : order) {
    weights.push_back(std::exp((logits[token] - logits[order[0]]) / options.temperature));
  }
  double total = std::accumulate(weights.begin(), weights.end(), 0.0), reached = 0;
  std::size_t kept = 0;
  while (kept < order.size() && reached < options.top_p * total) reached += weights[kept++];
  double rest = draw * reached;
  std::size_t i = 0;
  while (i + 1 < kept && rest >= weights[i]) rest -= weights[i++];
  return order[i];
  //! [16.1]
}
//! [16 choose]

//! [16 cache]
/// Reads each token once: it keeps the keys and values of all positions read so far.
struct InferenceSession {
  explicit InferenceSession(const Gpt& model) : model(model), caches(model.h.size()) {}

  /// Reads more tokens, and returns the logits [V] after the last one.
  std::vector<Scalar> step(const Tokens& tokens) {
    const NoGrad no_grad;
    const Index first = length, more = std::ssize(tokens);
    length += more;
    const AttentionOptions options{.causal = true, .bias = model.wpe.bias(more, length)};
    Tensor x = model.wpe.embed(model.wte(IndexTensor({1, more}, tokens)), first);
    for (std::size_t i = 0; i < caches.size(); ++i) {
      const Block& block = model.h[i];
      MultiHeadAttention::KeyValues& cache = caches[i];
      x = residual(x, block.ln_1, block.options, [&](const Tensor& x) {
        //! [16.2]
        const auto [keys, values] = block.attn.key_values(x, first);
        cache.keys = first > 0 ? concat({cache.keys, keys}, 2) : keys;
        cache.values = first > 0 ? concat({cache.values, values}, 2) : values;
        //! [16.2]
        return block.attn.attend(cache, x, options, first);
      });
      x = residual(x, block.ln_2, block.options, block.mlp);
    }
    const Tensor logits = model.logits(slice(model.ln_f(x), 1, -1));
    return {logits.begin(), logits.end()};
  }
  const Gpt& model;
  std::vector<MultiHeadAttention::KeyValues> caches;  // one per block
  Index length = 0;
};
//! [16 cache]

//! [16 generate]
/// Continues a prompt by `count` tokens. When the window is full, reads its last three quarters.
inline Tokens generate(const Gpt& model, const Tokens& prompt, Index count,
                       const SampleOptions& options, const RandomKey& key) {
  const Tensor draws = uniform({count}, key);
  const Index most = model.config.n_positions;
  Tokens text = prompt, unread = prompt;
  InferenceSession session(model);
  for (Index i = 0; i < count; ++i) {
    if (session.length + std::ssize(unread) > most) {
      const Index kept = std::min<Index>(std::ssize(text), (3 * most + 3) / 4);
      unread = Tokens(text.end() - kept, text.end()), session.length = 0;
    }
    const std::int32_t token = choose_token(session.step(unread), options, draws.data()[i]);
    text.push_back(token);
    unread = {token};
  }
  return {text.begin() + std::ssize(prompt), text.end()};
}

}  // namespace pocket
//! [16 generate]

/// @file
/// Chapter 10's training, and the model that learns to repeat rounds: with the knock-outs of heads.
#pragma once

#include <algorithm>

#include "tutorials/10_multi_head_attention/tasks.h"
#include "tutorials/common/show.h"

namespace pocket {

// [learn]
template <class Model, class Loss>
void learn(Model& model, int steps, const Loss& loss) {
  AdamW optimiser(parameters(model), {.weight_decay = 0});
  train(optimiser, {.steps = steps, .schedule = {0.01, 0.0005, 20, steps}}, loss);
}
// [learn]

// [copier]
struct Copier {
  Copier(int count, int heads, KeySequence& keys)
      : words(12, 32, keys), positions(12, 32, keys), output(32, 12, keys) {
    for (int i = 0; i < count; ++i) layers.push_back({32, heads, keys, {}});
  }
  Tensor operator()(const IndexTensor& tokens, std::vector<Tensor>* weights = nullptr) const {
    Tensor x = words(tokens) + positions.weight;  // [B, 12, 32]
    for (const MultiHeadAttention& layer : layers) {
      const Tensor q = split_heads(layer.query(x), layer.num_heads);
      const Tensor k = layer.key_values(x).keys;
      if (weights) weights->push_back(attention_weights(q, k, {.causal = true}));
      x = x + layer(x, x, {.causal = true});
    }
    return output(x);  // logits of the next word
  }
  void fields(auto&& f) {
    f("words", words), f("positions", positions), f("layers", layers), f("output", output);
  }
  Embedding words, positions;
  Linear output;
  std::vector<MultiHeadAttention> layers;
};
// [copier]

// [trained]
inline Copier trained(int layers, int heads, std::uint64_t seed, int steps = 300) {
  KeySequence keys(seed);
  Copier model(layers, heads, keys);
  learn(model, steps, [&](int step) {
    const Rounds some(32, {seed, static_cast<std::uint32_t>(step)});
    return cross_entropy(model(some.tokens), some.targets);
  });
  return model;
}
// [trained]

// [rules]
/// The share of right answers.
inline double right(const Copier& model, const Rounds& test) {
  return course::accuracy(model(test.tokens), test.targets);
}

/// The shares of texts "a b c d e f d" that a model continues by either rule, and by neither.
inline std::vector<double> rules(const Copier& model, const Broken& test) {
  const Tensor y = model(test.tokens);
  const double e = course::accuracy(y, test.successor), b = course::accuracy(y, test.overdue);
  return {e, b, std::max(0.0, 1 - e - b)};
}
// [rules]

// [without]
/// Returns measure() without some heads: their rows of W_o are 0 during the call.
inline double without(Copier& model, int layer, const std::vector<Index>& heads,
                      const auto& measure) {
  Tensor& w = model.layers[layer].output.weight;  // [H D, C], 8 rows for each head
  const std::vector<Scalar> kept(w.begin(), w.end());
  for (const Index head : heads) std::fill_n(w.mutable_data() + head * 8 * 32, 8 * 32, Scalar(0));
  const double result = measure();
  std::copy(kept.begin(), kept.end(), w.mutable_data());
  return result;
}

/// The largest mean weight that a head of layer 2 puts on successors.
inline double best_successor(const Copier& model, const Rounds& test) {
  std::vector<Tensor> weights;
  model(test.tokens, &weights);
  double best = 0;
  for (Index h = 0; h < 4; ++h) best = std::max(best, habits(weights[1], h, test).second);
  return best;
}
// [without]

}  // namespace pocket

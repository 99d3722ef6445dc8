//! [15 GptConfig]
// GPT: a stack of blocks that predicts each next token (Radford and others, 2019).
#pragma once

#include "block.h"

namespace pocket {

struct GptConfig {
  Index vocab_size = 0;     // V
  Index n_positions = 256;  // the longest context
  int n_layer = 6;          // L
  int n_head = 6;           // H
  Index n_embd = 384;       // C
  Scalar dropout = Scalar(0.2);
  Position position = Position::kLearned;
};
//! [15 GptConfig]

//! [15 initial]
/// GPT-2's initial values: small, and smaller in the matrices that end a residual branch.
inline void set_initial_values(auto& model, int n_layer, KeySequence& keys) {
  //! [15.1]
  const Scalar small = Scalar(0.02), smaller = small / std::sqrt(Scalar(2 * n_layer));
  visit_parameters(model, [&](const std::string& name, Tensor& x) {
    const bool ends = name.ends_with("output.weight") || name.ends_with("c_proj.weight");
    if (x.rank() != 2) return;
    x = normal(x.shape(), keys.next(), 0, ends ? smaller : small).set_requires_grad();
  });
  //! [15.1]
}
//! [15 initial]

//! [15 Gpt]
struct Gpt {
  explicit Gpt(const GptConfig& given, std::uint64_t seed = 0) : config(given) {
    KeySequence keys(seed);
    LayerOptions layer{.d_model = config.n_embd, .num_heads = config.n_head};
    layer.dropout = config.dropout;
    layer.position = config.position, layer.max_length = config.n_positions;
    wte = Embedding(config.vocab_size, config.n_embd, keys);
    wpe = layer.make_positions(false, keys);
    for (int i = 0; i < config.n_layer; ++i) h.emplace_back(layer, keys);
    ln_f = LayerNorm(config.n_embd);
    set_initial_values(*this, config.n_layer, keys);
    if (wpe.table.defined()) wpe.table = wpe.table * Scalar(0.02);  // sinusoids: as small as wte
  }
  /// The residual stream after the last block, normalised: tokens [B, T] to [B, T, C].
  Tensor features(const IndexTensor& tokens) const {
    const Index length = tokens.size(1), most = config.n_positions;
    check(length <= most, "gpt: ", length, " tokens are more than n_positions, ", most);
    const AttentionOptions options{.causal = true, .bias = wpe.bias(length, length)};
    //! [15.2]
    Tensor x = dropout_in_training(wpe.embed(wte(tokens)), config.dropout);
    for (const Block& block : h) x = block(x, options);
    return ln_f(x);
    //! [15.2]
  }
  /// The output layer's weight is the token embedding: [..., C] to [..., V].
  Tensor logits(const Tensor& features) const { return matmul(features, wte.weight, {.b = true}); }
  Tensor operator()(const IndexTensor& tokens) const { return logits(features(tokens)); }
  Tensor loss(const IndexTensor& tokens, const IndexTensor& targets) const {
    return cross_entropy((*this)(tokens), targets);
  }
  void fields(auto&& f) { f("wte", wte), f("wpe", wpe), f("h", h), f("ln_f", ln_f); }
  GptConfig config;
  Embedding wte;
  PositionalEncoding wpe;
  std::vector<Block> h;
  LayerNorm ln_f;
};

}  // namespace pocket
//! [15 Gpt]

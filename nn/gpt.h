/// @file
/// GPT: a decoder-only transformer that predicts the next token.
///
/// Radford and others, "Language models are unsupervised multitask learners", 2019 (GPT-2):
/// pre-norm blocks, learned positions, the output layer's weights tied to the token embedding.
#pragma once

#include <span>
#include <vector>

#include "nn/attention.h"

namespace gradus {

/// @addtogroup models
/// @{

/// The sizes of a GPT. The defaults are nanoGPT's for characters of Shakespeare.
struct GptConfig {
  Index vocab_size = 0;          ///< V
  Index n_positions = 256;       ///< the longest text it can look at, nanoGPT's block_size
  int n_layer = 6;               ///< L
  int n_head = 6;                ///< H
  Index n_embd = 384;            ///< C
  Scalar dropout = Scalar(0.2);  ///< in training, of embeddings, attention weights and residuals
  bool bias = false;             ///< of linear layers and layer norms
  Scalar layer_norm_epsilon = Scalar(1e-5);  ///< added to variances

  /// Makes sure that such a model can be built.
  /// @throws std::invalid_argument naming the first size that makes no sense.
  void validate() const;
};

/// The number of parameters of such a GPT, by formula: nothing is allocated.
/// @throws std::invalid_argument if it is beyond what can be counted.
Index parameter_count(const GptConfig& config);

/// Floating-point operations of the matrix products of one forward pass over B texts of T tokens. A
/// training step takes three times as many.
double forward_flops(const GptConfig& config, Index batch, Index time);

/// A pre-norm block: x + attention(norm(x)), then x + feed_forward(norm(x)).
struct Block {
  LayerNorm ln_1;            ///< before the attention
  CausalSelfAttention attn;  ///< the first residual branch
  LayerNorm ln_2;            ///< before the feed-forward network
  FeedForward mlp;           ///< the second residual branch

  Block() = default;
  /// The sizes are the config's.
  Block(const GptConfig& config, KeySequence& keys);
  /// x [B, T, C] to y [B, T, C], after what is in the cache, if there is one.
  Tensor operator()(const Tensor& x, KeyValueCache* cache = nullptr) const;
  /// Names the members once: see module.h.
  void fields(auto&& f) {
    f("ln_1", ln_1);
    f("attn", attn);
    f("ln_2", ln_2);
    f("mlp", mlp);
  }
};

/// The model. Its parameters bear the names of Hugging Face's GPT-2.
///
/// Initialised as GPT-2: weights and embeddings N(0, 0.02), those that feed the residual stream
/// N(0, 0.02 / sqrt(2 L)), biases 0.
struct Gpt {
  GptConfig config;      ///< its sizes
  Embedding wte;         ///< [V, C], of tokens
  Embedding wpe;         ///< [n_positions, C], of positions
  std::vector<Block> h;  ///< L blocks
  LayerNorm ln_f;        ///< after the last block

  /// The same config and seed give the same parameters.
  /// @throws std::invalid_argument if the config does not make sense.
  explicit Gpt(const GptConfig& config, std::uint64_t seed = 0);

  /// The residual stream after the final norm: tokens [B, T] to [B, T, C]. With caches, one for
  /// each block, the tokens follow those that the caches hold: see Decoder.
  Tensor features(const IndexTensor& tokens, std::span<KeyValueCache> caches = {}) const;
  /// The output layer: features [..., C] to logits [..., V].
  Tensor logits(const Tensor& features) const;
  /// Logits of the next token at each position: tokens [B, T] to [B, T, V].
  /// @throws std::invalid_argument if T is above n_positions or a token not in [0, V).
  Tensor operator()(const IndexTensor& tokens) const;
  /// The mean cross-entropy of the targets [B, T], in nats.
  Tensor loss(const IndexTensor& tokens, const IndexTensor& targets) const;

  /// Names the members once: see module.h.
  void fields(auto&& f) {
    f("transformer.wte", wte);
    f("transformer.wpe", wpe);
    f("transformer.h", h);
    f("transformer.ln_f", ln_f);
  }
};

/// @}

}  // namespace gradus

/// @file
/// GPT: a decoder-only transformer that predicts the next token.
///
/// Radford and others, "Language models are unsupervised multitask learners", 2019 (GPT-2):
/// pre-norm blocks, learned positions, the output layer's weights tied to the token embedding. Some
/// newer parts are optional.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "autograd/ops/token_shift.h"
#include "nn/layers/attention.h"
#include "nn/layers/feed_forward.h"
#include "nn/layers/norm.h"
#include "nn/layers/position.h"

namespace gradus {

/// @addtogroup models
/// @{

/// The sizes and parts of a GPT. The defaults are GPT-2's parts, with nanoGPT's sizes for
/// character-level Shakespeare.
/// @code
/// const GptConfig gpt2{.vocab_size = 50257, .n_positions = 1024, .n_layer = 12, .n_head = 12,
///                      .n_embd = 768, .bias = true};
/// parameter_count(gpt2);  // 124439808
/// @endcode
struct GptConfig {
  Index vocab_size = 0;          ///< V, the number of tokens
  Index n_positions = 256;       ///< the longest context, nanoGPT's block_size
  int n_layer = 6;               ///< L, the number of blocks
  int n_head = 6;                ///< H, the heads of each block
  Index n_embd = 384;            ///< C, the width of a position's vector
  Scalar dropout = Scalar(0.2);  ///< in training, of embeddings, attention weights and residuals
  bool bias = false;             ///< of linear layers and layer norms
  Scalar layer_norm_epsilon = Scalar(1e-5);   ///< added to variances
  Index n_inner = 0;                          ///< width of the feed-forward network; 0 for 4 C
  Activation activation = Activation::kGelu;  ///< of the feed-forward network
  Position position = Position::kLearned;     ///< how positions are encoded; not kUnit
  NormKind norm = NormKind::kLayer;           ///< of each vector: batch norm would see the future
  bool token_shift = false;  ///< whether token_shift() by halving_widths() follows each norm
  bool tied = true;          ///< whether the output layer's weight is the token embedding
  std::optional<Scalar> attention_dropout = {};  ///< of attention weights, if different
  std::optional<Scalar> embedding_dropout = {};  ///< of embeddings, if different

  /// The width of the feed-forward network.
  Index inner() const { return n_inner > 0 ? n_inner : 4 * n_embd; }
  /// A norm with these options.
  Norm make_norm() const { return Norm(norm, n_embd, bias, layer_norm_epsilon); }
  /// The options of its positional encoding.
  PositionOptions positions() const;
  /// Whether all its parts are GPT-2's, so that other programs can read it as one.
  bool is_gpt2() const;

  /// Checks that such a model can be built.
  /// @throws std::invalid_argument naming the first invalid size.
  void validate() const;

  /// Names each field, as config.json has it.
  void fields(auto&& f) {
    f("vocab_size", vocab_size);
    f("n_positions", n_positions);
    f("n_layer", n_layer);
    f("n_head", n_head);
    f("n_embd", n_embd);
    f("layer_norm_epsilon", layer_norm_epsilon);
    f("resid_pdrop", dropout);
    f("embd_pdrop", embedding_dropout);
    f("attn_pdrop", attention_dropout);
    f("n_inner", n_inner);
    f("bias", bias);
    f("activation_function", activation);
    f("tie_word_embeddings", tied);
    f("position", position);
    f("norm", norm);
    f("token_shift", token_shift);
  }
};

/// The number of parameters of such a GPT, by formula: allocates nothing.
/// @throws std::invalid_argument if the count overflows.
Index parameter_count(const GptConfig& config);

/// Floating-point operations in the matrix products of one forward pass over a batch [B, T]. A
/// training step needs three times as many.
double forward_flops(const GptConfig& config, Index batch, Index time);

/// A block's cache for a batch: what it keeps of the positions read so far.
/// @code
/// const GptConfig config{.vocab_size = 11, .n_positions = 7, .n_layer = 1, .n_head = 2,
///                        .n_embd = 8};
/// const Gpt model(config, 1);
/// const NoGrad no_grad;
/// std::vector<BlockCache> caches(1, BlockCache(config, 1));
/// model.features(indices({{1, 2, 3}}), caches).shape();  // [1, 3, 8]
/// model.features(indices({{4}}), caches).shape();  // [1, 1, 8]
/// caches[0].attention.length;  // 4
/// @endcode
struct BlockCache {
  KvCache attention;   ///< keys and values
  Tensor before_attn;  ///< [B, 3, C], the last inputs of the shift before the attention
  Tensor before_mlp;   ///< [B, 3, C], those of the shift before the feed-forward network

  BlockCache() = default;
  /// Allocates the full capacity; length is 0.
  BlockCache(const GptConfig& config, Index batch_size);
  /// The cache of one row, which shares its memory.
  BlockCache of_row(Index row) const;
  /// Copies of rows `rows`, in that order; a row may occur several times.
  BlockCache of_rows(const IndexTensor& rows) const;
  /// Clears the cache.
  void clear();
};

/// A pre-norm block: x + attention(norm(x)), then x + feed_forward(norm(x)); each norm is followed
/// by a token_shift() if the config says so.
/// @code
/// const GptConfig config{.vocab_size = 11, .n_positions = 7, .n_layer = 1, .n_head = 2,
///                        .n_embd = 8};
/// KeySequence keys(1);
/// const Block block(config, Tensor(), keys);
/// block(ones({2, 5, 8})).shape();  // [2, 5, 8]
/// @endcode
struct Block {
  Norm ln_1;                 ///< before the attention
  CausalSelfAttention attn;  ///< the first residual branch
  Norm ln_2;                 ///< before the feed-forward network
  FeedForward mlp;           ///< the second residual branch
  bool token_shift = false;  ///< whether a shift follows the norms

  Block() = default;
  /// Built as the config says. `angles` is the rotary_table() of all blocks, or undefined.
  Block(const GptConfig& config, const Tensor& angles, KeySequence& keys);
  /// x [B, T, C] to y [B, T, C], attending to the cache too, if there is one; see
  /// CausalSelfAttention for the bias.
  Tensor operator()(const Tensor& x, BlockCache* cache = nullptr,
                    const Tensor& bias = Tensor()) const;
  void fields(auto&& f) {
    f("ln_1", ln_1);
    f("attn", attn);
    f("ln_2", ln_2);
    f("mlp", mlp);
  }
};

/// GPT: a stack of blocks that predicts each next token. Its parameters have the names of Hugging
/// Face's GPT-2.
///
/// Fixed position vectors are scaled to the size that learned ones start with.
///
/// With tied weights, it is initialised as GPT-2: weights and embeddings N(0, 0.02), projections
/// into the residual stream \f$ N(0, 0.02 / \sqrt{2L}) \f$. Untied, the token embedding need not be
/// small for the output's sake: tokens start as N(0, 1), positions as N(0, 0.1), matrices as
/// Linear's. The output layer starts as 0, after a final norm whose gain of 4 makes it learn four
/// times as fast under Adam, whose step size does not depend on the gradient's scale. Biases are 0.
/// @code
/// const GptConfig config{.vocab_size = 11, .n_positions = 7, .n_layer = 1, .n_head = 2,
///                        .n_embd = 8};
/// const Gpt model(config, 1);
/// model(indices({{1, 2, 3}})).shape();  // [1, 3, 11]
/// backward(model.loss(indices({{1, 2, 3}}), indices({{2, 3, 4}})));
/// model.wte.weight.grad().shape();  // [11, 8]
/// @endcode
struct Gpt {
  GptConfig config;        ///< its sizes and parts
  Embedding wte;           ///< [V, C], of tokens
  PositionalEncoding wpe;  ///< of all blocks; [n_positions, C] if they are learned vectors
  std::vector<Block> h;    ///< L blocks
  Norm ln_f;               ///< after the last block
  Tensor lm_head;          ///< [V, C], the output layer's weight, unless it is wte's

  /// The same config and seed give the same parameters.
  /// @throws std::invalid_argument if the config is invalid.
  explicit Gpt(const GptConfig& config, std::uint64_t seed = 0);

  /// The residual stream after the final norm: tokens [B, T] to [B, T, C]. With caches, one per
  /// block, the tokens follow those in the caches: see inference_session.h.
  Tensor features(const IndexTensor& tokens, std::span<BlockCache> caches = {}) const;
  /// The output layer: features [..., C] to logits [..., V].
  Tensor logits(const Tensor& features) const;
  /// Logits of the next token at each position: tokens [B, T] to [B, T, V].
  /// @throws std::invalid_argument if T is above n_positions or a token is not in [0, V).
  Tensor operator()(const IndexTensor& tokens) const;
  /// The mean cross-entropy of the targets [B, T], in nats.
  Tensor loss(const IndexTensor& tokens, const IndexTensor& targets) const;

  void fields(auto&& f) {
    f("transformer.wte", wte);
    f("transformer.wpe", wpe);
    f("transformer.h", h);
    f("transformer.ln_f", ln_f);
    f.outer("lm_head.weight", lm_head);
  }
};

/// @}

}  // namespace gradus

/// @file
/// GPT: a decoder-only transformer that predicts the next token.
///
/// Radford and others, "Language models are unsupervised multitask learners", 2019 (GPT-2):
/// pre-norm blocks, learned positions, and an output layer whose weights are the token embedding.
/// Newer parts are optional; with them it is a Llama (Touvron and others, 2023), a Mistral (Jiang
/// and others, 2023), a Qwen2 or a Qwen3 (Yang and others, 2024 and 2025). Shapes: B batch, T time,
/// C channels, V vocabulary.
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
/// const GptConfig llama{.vocab_size = 32000, .n_positions = 2048, .n_layer = 22, .n_head = 32,
///                       .n_embd = 2048, .dropout = 0, .n_inner = 5632,
///                       .activation = Activation::kSwiGlu, .position = Position::kRotary,
///                       .norm = NormKind::kRms, .tied = false, .n_kv_head = 4};
/// parameter_count(llama);  // 1100048384, TinyLlama's
/// @endcode
struct GptConfig {
  Index vocab_size = 0;          ///< V, the number of tokens
  Index n_positions = 256;       ///< the longest context, nanoGPT's block_size
  int n_layer = 6;               ///< L, the number of blocks
  int n_head = 6;                ///< H, the number of heads of each block
  Index n_embd = 384;            ///< C, the width of a position's vector
  Scalar dropout = Scalar(0.2);  ///< for embeddings, attention weights and residual branches
  bool bias = false;             ///< whether linear layers and layer norms have a bias
  Scalar layer_norm_epsilon = Scalar(1e-5);   ///< added to variances in norms
  Index n_inner = 0;                          ///< hidden width of the feed-forward network; 0: 4 C
  Activation activation = Activation::kGelu;  ///< for the feed-forward network
  Position position = Position::kLearned;     ///< how positions are encoded; not kUnit
  NormKind norm = NormKind::kLayer;           ///< not kBatch, which would see later positions
  bool token_shift = false;  ///< whether token_shift() with halving_widths() follows each norm
  bool tied = true;          ///< whether the output layer's weight is the token embedding
  std::optional<Scalar> attention_dropout = {};  ///< for attention weights; unset: `dropout`
  std::optional<Scalar> embedding_dropout = {};  ///< for embeddings; unset: `dropout`
  int n_kv_head = 0;                  ///< K, the number of heads of keys and values; 0: n_head
  Index head_width = 0;               ///< D, the width of a head; 0: n_embd / n_head
  bool qk_norm = false;               ///< whether an RMS norm of each head follows queries and keys
  std::optional<bool> qkv_bias = {};  ///< for queries, keys and values; unset: `bias`
  std::optional<bool> output_bias = {};  ///< for the attention's output; unset: `bias`
  Index window = 0;           ///< positions that a position attends to; 0: all up to its own
  int window_from = 0;        ///< the first block with this window; the blocks before it have none
  RotaryOptions rotary = {};  ///< the frequencies of rotary positions

  /// The hidden width of the feed-forward network.
  Index inner() const { return n_inner > 0 ? n_inner : 4 * n_embd; }
  /// K, the number of heads of keys and values.
  int kv_heads() const { return n_kv_head > 0 ? n_kv_head : n_head; }
  /// D, the width of a head.
  Index width() const { return head_width > 0 ? head_width : n_embd / n_head; }
  /// The window of this block; 0: none.
  Index window_of(int block) const { return block >= window_from ? window : 0; }
  /// Returns the options of this block's attention.
  SelfAttentionOptions attention(int block) const;
  /// Makes a norm with these options.
  Norm make_norm() const { return Norm(norm, n_embd, bias, layer_norm_epsilon); }
  /// Returns the options of the positional encoding.
  PositionOptions positions() const;
  /// Whether all parts are GPT-2's, so that other programs can read the model as a GPT-2.
  bool is_gpt2() const;

  /// Checks that a model with this config can be built.
  /// @throws std::invalid_argument naming the first invalid option.
  void validate() const;

  /// Names each field as in config.json.
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
    f("n_kv_head", n_kv_head);
    f("head_width", head_width);
    f("qk_norm", qk_norm);
    f("qkv_bias", qkv_bias);
    f("output_bias", output_bias);
    f("window", window);
    f("window_from", window_from);
    rotary.fields(f);
  }
};

/// Returns the number of parameters of a GPT with this config, from a formula: allocates nothing.
/// @throws std::invalid_argument if the count overflows.
Index parameter_count(const GptConfig& config);

/// Returns the number of floating-point operations in the matrix products of one forward pass over
/// a batch [B, T]. A training step needs three times as many.
double forward_flops(const GptConfig& config, Index batch, Index time);

/// The cache of one block for a batch: values from the positions read so far.
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
  Tensor before_attn;  ///< [B, 3, C], the last inputs of the token shift before the attention
  Tensor before_mlp;   ///< [B, 3, C], the same before the feed-forward network

  BlockCache() = default;
  /// Allocates the full capacity, n_positions; the length is 0.
  BlockCache(const GptConfig& config, Index batch_size);
  /// Returns the cache of one row, which shares memory with this cache.
  BlockCache of_row(Index row) const;
  /// Returns a copy of the rows with these numbers, in this order. A row may occur several times.
  BlockCache of_rows(const IndexTensor& rows) const;
  /// Clears the cache: its length becomes 0.
  void clear();
};

/// A pre-norm block: x + attention(norm(x)), then x + feed_forward(norm(x)). With the config's
/// token_shift, a token_shift() follows each norm.
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
  bool token_shift = false;  ///< whether token_shift() follows the norms

  Block() = default;
  /// Makes block number `number` of this config. `angles` is the rotary_table() that all blocks
  /// share, or undefined.
  Block(const GptConfig& config, const Tensor& angles, KeySequence& keys, int number = 0);
  /// x [B, T, C] to y [B, T, C]. With a cache, x also attends to the positions in the cache. See
  /// CausalSelfAttention for the bias and `turned_by`.
  Tensor operator()(const Tensor& x, BlockCache* cache = nullptr, const Tensor& bias = Tensor(),
                    const Tensor& turned_by = Tensor()) const;
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
/// Fixed position vectors are multiplied by the initial standard deviation of learned ones.
///
/// With tied weights, initial values are GPT-2's: weights and embeddings N(0, 0.02), projections
/// into the residual stream \f$ N(0, 0.02 / \sqrt{2L}) \f$. With untied weights, the token
/// embedding is not the output layer's weight and need not be small: tokens start as N(0, 1),
/// positions as N(0, 0.1) and matrices as in Linear. The output layer starts as 0. The weight of
/// the final norm starts as 4, which makes the output layer learn four times as fast with Adam,
/// since Adam's step size does not depend on the gradient's scale. Biases start as 0.
/// @code
/// const GptConfig config{.vocab_size = 11, .n_positions = 7, .n_layer = 1, .n_head = 2,
///                        .n_embd = 8};
/// const Gpt model(config, 1);
/// model(indices({{1, 2, 3}})).shape();  // [1, 3, 11]
/// backward(model.loss(indices({{1, 2, 3}}), indices({{2, 3, 4}})));
/// model.wte.weight.grad().shape();  // [11, 8]
/// @endcode
struct Gpt {
  GptConfig config;          ///< its sizes and parts
  Embedding wte;             ///< [V, C], the token embedding
  PositionalEncoding wpe;    ///< for all blocks; [n_positions, C] if learned
  std::vector<Block> h;      ///< L blocks
  Norm ln_f;                 ///< after the last block
  Tensor lm_head;            ///< [V, C], the output layer's weight; undefined if tied
  NarrowMatrix narrow_head;  ///< [V, C]: the weight in place of lm_head, if it is not in float32

  /// The same config and seed give the same parameters. With `weights` other than kFloat32, all
  /// matrices but the table of learned positions are NarrowMatrices without values: see load_gpt().
  /// Such a model is for use only; no parameter of it requires a gradient.
  /// @throws std::invalid_argument if the config is invalid.
  explicit Gpt(const GptConfig& config, std::uint64_t seed = 0,
               WeightType weights = WeightType::kFloat32);

  /// The type of its weights.
  WeightType weights() const {
    return wte.narrow.defined() ? wte.narrow.type() : WeightType::kFloat32;
  }

  /// Returns the residual stream after the final norm: tokens [B, T] to [B, T, C]. With caches, one
  /// per block, the tokens follow the tokens in the caches: see inference_session.h.
  Tensor features(const IndexTensor& tokens, std::span<BlockCache> caches = {}) const;
  /// The output layer: features [..., C] to logits [..., V].
  Tensor logits(const Tensor& features) const;
  /// Logits of the next token at each position: tokens [B, T] to [B, T, V].
  /// @throws std::invalid_argument if T is above n_positions or a token is not in [0, V).
  Tensor operator()(const IndexTensor& tokens) const;
  /// The mean cross-entropy over all positions, in nats: tokens [B, T] and targets [B, T] to a
  /// scalar.
  Tensor loss(const IndexTensor& tokens, const IndexTensor& targets) const;

  void fields(auto&& f) {
    f("transformer.wte", wte);
    f("transformer.wpe", wpe);
    f("transformer.h", h);
    f("transformer.ln_f", ln_f);
    f.outer("lm_head.weight", lm_head);
    f.outer("lm_head.weight", narrow_head);
  }
};

/// @}

}  // namespace gradus

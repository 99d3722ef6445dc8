/// @file
/// Attention layers: multi-head attention in general, and self-attention on one packed product.
///
/// Vaswani and others, "Attention is all you need", 2017. Shapes: B batch, T target length, S
/// source length, C channels, H heads, D = C / H.
#pragma once

#include "autograd/ops/attention.h"
#include "autograd/ops/cached_attention.h"
#include "autograd/ops/rotary.h"
#include "nn/layers.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// Attention by H heads side by side: concat(head_1 ... head_H) W_o with
/// head_i = attention(query W_i^q, key W_i^k, value W_i^v). Arguments as in Keras.
struct MultiHeadAttention {
  int num_heads = 0;   ///< H
  Linear query;        ///< [C, H key_dim]
  Linear key;          ///< [C of the source, H key_dim]
  Linear value;        ///< [C of the source, H value_dim]
  Linear output;       ///< [H value_dim, output_shape]
  Scalar dropout = 0;  ///< of the attention weights, in training

  /// Sizes; 0 stands for the usual choice.
  struct Sizes {
    Index key_dim = 0;       ///< width of a head's queries and keys; C / num_heads
    Index value_dim = 0;     ///< width of a head's values; key_dim
    Index output_shape = 0;  ///< width of the result; C
    Index source = 0;        ///< width of what keys and values are made of; C
  };

  MultiHeadAttention() = default;
  /// For inputs of C = `channels`.
  /// @throws std::invalid_argument if key_dim is 0 and C no multiple of num_heads.
  MultiHeadAttention(Index channels, int num_heads, KeySequence& keys, const Sizes& sizes,
                     bool with_bias = true, Scalar dropout = 0);

  /// x [B, T, C] looks at source [B, S, C] (itself, for self-attention); y [B, T, output_shape].
  /// The options' mask, if there is one, broadcasts to [B, H, T, S].
  Tensor operator()(const Tensor& x, const Tensor& source, AttentionOptions options = {}) const;

  /// Names the members once: see module.h.
  void fields(auto&& f) {
    f("query", query);
    f("key", key);
    f("value", value);
    f("output", output);
  }
};

/// Causal self-attention as GPT-2 keeps it: one product for queries, keys and values, from which
/// all heads read in place. Equal to MultiHeadAttention with the three weights taken apart.
struct CausalSelfAttention {
  int num_heads = 0;             ///< H
  Linear c_attn;                 ///< [C, 3 C]
  Linear c_proj;                 ///< [C, C]
  Scalar attention_dropout = 0;  ///< of the attention weights, in training
  Dropout residual_dropout;      ///< of the result
  Tensor angles;                 ///< a rotary_table() that turns queries and keys, or undefined

  CausalSelfAttention() = default;
  /// For inputs of C = `channels`.
  /// @throws std::invalid_argument if C is no multiple of num_heads.
  CausalSelfAttention(Index channels, int num_heads, KeySequence& keys, bool with_bias = true,
                      Scalar dropout = 0);

  /// x [B, T, C] to y [B, T, C]; position t sees positions up to t, and those in the cache, if
  /// there is one, to which x's are added.
  Tensor operator()(const Tensor& x, KeyValueCache* cache = nullptr) const;

  /// Names the members once: see module.h.
  void fields(auto&& f) {
    f("c_attn", c_attn);
    f("c_proj", c_proj);
  }
};

/// @}

}  // namespace gradus

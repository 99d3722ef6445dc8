/// @file
/// Attention layers: multi-head attention in general, and self-attention on one packed product.
///
/// Vaswani and others, "Attention is all you need", 2017. Shapes: B batch, T target length, S
/// source length, C channels, H heads, D = C / H.
#pragma once

#include <vector>

#include "autograd/fused/cached_attention.h"
#include "autograd/fused/rope.h"
#include "autograd/ops/attention.h"
#include "nn/layers/layers.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// Which places of tokens [B, S] hold a token and no padding, [B, 1, 1, S]: a mask for attention.
IndexTensor padding_mask(const IndexTensor& tokens, std::int32_t padding);

/// Texts `rows` of x [B, ...], in that order and as often as they stand there; undefined if x is.
Tensor of_rows(const Tensor& x, const IndexTensor& rows);

/// The same of a cache: what a beam search goes on with. Copies the positions that are filled, and
/// no more. No gradient.
/// @param room is for how many positions there will be room, 0 for as many as now.
/// @throws std::invalid_argument if a row is no text of the cache.
KeyValueCache of_rows(const KeyValueCache& cache, const IndexTensor& rows, Index room = 0);

/// Of a cache's keys or values [B, H, S, D], those of the first `length` positions.
Tensor filled(const Tensor& x, Index length);

/// While one of these exists, the attention layers on this thread keep their weights in it, in the
/// order in which they are called, as they are before dropout; those of new positions, where a
/// cache holds the others. Where there is none, no weights are ever stored.
/// @code
/// KeySequence keys(1);
/// const CausalSelfAttention attention(8, 2, keys);
/// const AttentionRecord record;
/// attention(ones({1, 2, 8}));
/// record.weights()[0];  // [[[[1, 0], [0.5, 0.5]], [[1, 0], [0.5, 0.5]]]]
/// @endcode
class AttentionRecord {
 public:
  /// Begins to keep; the end of the scope ends it.
  AttentionRecord();
  ~AttentionRecord();
  AttentionRecord(const AttentionRecord&) = delete;
  AttentionRecord& operator=(const AttentionRecord&) = delete;

  /// What was kept, [B, H, T, S] each.
  const std::vector<Tensor>& weights() const { return weights_; }
  /// Keeps the weights of these queries and keys, [B, H, T, D] and [B, H, S, D], if one exists.
  static void keep(const Tensor& q, const Tensor& k, const AttentionOptions& options);
  /// Whether one exists on this thread.
  static bool active();

 private:
  AttentionRecord* outer_;
  std::vector<Tensor> weights_;
};

/// Attention by H heads side by side: concat(head_1 ... head_H) W_o with
/// head_i = attention(query W_i^q, key W_i^k, value W_i^v). Arguments as in Keras.
///
/// Masks and a bias come with each call, in any combination; a place that may see nothing gives the
/// output layer's bias. To see the weights, use an AttentionRecord.
/// @code
/// KeySequence keys(1);
/// const MultiHeadAttention attention(8, 2, keys, {.key_dim = 3});
/// attention(ones({2, 5, 8}), ones({2, 7, 8})).shape();  // [2, 5, 8]
/// @endcode
struct MultiHeadAttention {
  int num_heads = 0;   ///< H, the number of heads
  Linear query;        ///< [C, H key_dim]
  Linear key;          ///< [C of the source, H key_dim]
  Linear value;        ///< [C of the source, H value_dim]
  Linear output;       ///< [H value_dim, output_shape]
  Scalar dropout = 0;  ///< of the attention weights, in training
  Tensor angles;       ///< a rotary_table() that turns queries and keys, or undefined

  /// How wide the heads are, and what comes in; 0 stands for the usual choice.
  struct Sizes {
    Index key_dim = 0;       ///< width of a head's queries and keys; C / num_heads
    Index value_dim = 0;     ///< width of a head's values; key_dim
    Index output_shape = 0;  ///< width of the result; C
    Index source = 0;        ///< width of what keys and values are made of; C
  };

  /// What a source is looked at by.
  struct KeysValues {
    Tensor keys;    ///< [B, H, S, key_dim]
    Tensor values;  ///< [B, H, S, value_dim]
  };

  MultiHeadAttention() = default;
  /// For inputs of C = `channels`.
  /// @throws std::invalid_argument if key_dim is 0 and C no multiple of num_heads.
  MultiHeadAttention(Index channels, int num_heads, KeySequence& keys, const Sizes& sizes,
                     bool with_bias = true, Scalar dropout = 0);

  /// x [B, T, C] looks at source [B, S, C] (itself, for self-attention); y [B, T, output_shape].
  /// The options' mask and bias, if there are such, broadcast to [B, H, T, S].
  Tensor operator()(const Tensor& x, const Tensor& source,
                    const AttentionOptions& options = {}) const;

  /// The keys and values of a source [B, S, C] whose first place is number `first`: operator() in
  /// two steps, for a source that many calls look at.
  KeysValues keys_values(const Tensor& source, Index first = 0) const;
  /// x [B, T, C], whose first place is number `first`, looks at these.
  Tensor attend(const KeysValues& source, const Tensor& x, AttentionOptions options = {},
                Index first = 0) const;

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
/// @code
/// KeySequence keys(1);
/// const CausalSelfAttention attention(8, 2, keys);
/// attention(ones({1, 5, 8})).shape();  // [1, 5, 8]
/// @endcode
struct CausalSelfAttention {
  int num_heads = 0;             ///< H, the number of heads
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
  /// there is one, to which x's are added. A bias, [H, T, S] with S the places seen, is added to
  /// the scores.
  Tensor operator()(const Tensor& x, KeyValueCache* cache = nullptr,
                    const Tensor& bias = Tensor()) const;

  /// Names the members once: see module.h.
  void fields(auto&& f) {
    f("c_attn", c_attn);
    f("c_proj", c_proj);
  }
};

/// @}

}  // namespace gradus

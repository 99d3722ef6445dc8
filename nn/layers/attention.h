/// @file
/// Attention layers: multi-head attention in general, and self-attention on one packed product.
///
/// Vaswani and others, "Attention is all you need", 2017. Shapes: B batch, T target length, S
/// source length, C channels, H heads, D = C / H.
#pragma once

#include <vector>

#include "autograd/ops/attention.h"
#include "autograd/ops/cached_attention.h"
#include "autograd/ops/rotary.h"
#include "nn/layers/layers.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// Marks the positions of tokens [B, S] that are not padding: [B, 1, 1, S], a mask for attention.
IndexTensor padding_mask(const IndexTensor& tokens, std::int32_t padding);

/// Rows `rows` of x [B, ...], in that order; a row may occur several times. Undefined if x is.
Tensor of_rows(const Tensor& x, const IndexTensor& rows);

/// The same for a kv cache: what a beam search continues with. Copies only the filled positions. No
/// gradient.
/// @param room is the capacity of the copy, in positions; 0 for the same as now.
/// @throws std::invalid_argument if a row is outside the batch.
KvCache of_rows(const KvCache& cache, const IndexTensor& rows, Index room = 0);

/// The first `length` positions of a cache's keys or values [B, H, S, D].
Tensor filled(const Tensor& x, Index length);

/// While one of these exists, the attention layers on this thread store their weights in it, before
/// dropout, in the order of the calls. With a cache, only the weights of the new queries are
/// stored. Without a record, no attention weights are stored.
/// @code
/// KeySequence keys(1);
/// const CausalSelfAttention attention(8, 2, keys);
/// const AttentionRecord record;
/// attention(ones({1, 2, 8}));
/// record.weights()[0];  // [[[[1, 0], [0.5, 0.5]], [[1, 0], [0.5, 0.5]]]]
/// @endcode
class AttentionRecord {
 public:
  /// Begins to record; the end of the scope ends it.
  AttentionRecord();
  ~AttentionRecord();
  AttentionRecord(const AttentionRecord&) = delete;
  AttentionRecord& operator=(const AttentionRecord&) = delete;

  /// The recorded weights, [B, H, T, S] each.
  const std::vector<Tensor>& weights() const { return weights_; }
  /// Records the weights of queries [B, H, T, D] and keys [B, H, S, D], if a record exists.
  static void keep(const Tensor& q, const Tensor& k, const AttentionOptions& options);
  /// Whether one exists on this thread.
  static bool active();

 private:
  AttentionRecord* outer_;
  std::vector<Tensor> weights_;
};

/// Multi-head attention: H heads, each with its own projections. Arguments as in Keras.
/// \f[ y = \mathrm{concat}(Y_1, \dots, Y_H)\,W^o + b^o \f]
/// \f[ Y_i = \mathrm{attention}(x\,W_i^q + b_i^q,\; h\,W_i^k + b_i^k,\; h\,W_i^v + b_i^v) \f]
/// for x that attends to the source h.
///
/// Masks and a bias are passed with each call, in any combination. A position that may attend to
/// nothing gets the output layer's bias. To see the weights, use an AttentionRecord.
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
  Tensor angles;       ///< a rotary_table() to rotate queries and keys, or undefined

  /// Widths of the heads, the source and the result; 0 means the usual choice.
  struct Sizes {
    Index key_dim = 0;       ///< width of a head's queries and keys; 0, the default: C / num_heads
    Index value_dim = 0;     ///< width of a head's values; 0, the default: key_dim
    Index output_shape = 0;  ///< width of the result; 0, the default: C
    Index source = 0;        ///< width of what keys and values are computed from; 0, the default: C
  };

  /// What queries attend to.
  struct KeyValues {
    Tensor keys;    ///< [B, H, S, key_dim]
    Tensor values;  ///< [B, H, S, value_dim]
  };

  MultiHeadAttention() = default;
  /// For inputs with C = `channels`.
  /// @throws std::invalid_argument if key_dim is 0 and C is not a multiple of num_heads.
  MultiHeadAttention(Index channels, int num_heads, KeySequence& keys, const Sizes& sizes,
                     bool with_bias = true, Scalar dropout = 0);

  /// x [B, T, C] attends to source [B, S, C] (itself, for self-attention); y [B, T, output_shape].
  /// The options' mask and bias, if given, broadcast to [B, H, T, S].
  Tensor operator()(const Tensor& x, const Tensor& source,
                    const AttentionOptions& options = {}) const;

  /// The keys and values of a source [B, S, C] whose first position is number `first`: the first
  /// half of operator(), for a source that many calls attend to.
  KeyValues key_values(const Tensor& source, Index first = 0) const;
  /// x [B, T, C], whose first position is number `first`, attends to these.
  Tensor attend(const KeyValues& source, const Tensor& x, AttentionOptions options = {},
                Index first = 0) const;

  void fields(auto&& f) {
    f("query", query);
    f("key", key);
    f("value", value);
    f("output", output);
  }
};

/// Causal self-attention in GPT-2's layout: one product computes queries, keys and values, which
/// all heads read in place. Equal to MultiHeadAttention with the three weights split.
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
  Tensor angles;                 ///< a rotary_table() to rotate queries and keys, or undefined

  CausalSelfAttention() = default;
  /// For inputs with C = `channels`.
  /// @throws std::invalid_argument if C is not a multiple of num_heads.
  CausalSelfAttention(Index channels, int num_heads, KeySequence& keys, bool with_bias = true,
                      Scalar dropout = 0);

  /// x [B, T, C] to y [B, T, C]; position t attends to positions up to t. With a cache, x's keys
  /// and values are appended to it, and x attends to all of it. A bias [H, T, S], with S the
  /// positions attended to, is added to the scores.
  Tensor operator()(const Tensor& x, KvCache* cache = nullptr, const Tensor& bias = Tensor()) const;

  void fields(auto&& f) {
    f("c_attn", c_attn);
    f("c_proj", c_proj);
  }
};

/// @}

}  // namespace gradus

/// @file
/// Attention layers: general multi-head attention, and self-attention that computes queries, keys
/// and values with one matrix product.
///
/// Vaswani and others, "Attention is all you need", 2017. Shapes: B batch, T target length, S
/// source length, C channels, H heads, D = C / H.
#pragma once

#include <optional>
#include <vector>

#include "autograd/ops/attention.h"
#include "autograd/ops/cached_attention.h"
#include "autograd/ops/rotary.h"
#include "nn/layers/layers.h"
#include "nn/layers/norm.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// Makes a mask for attention, [B, 1, 1, S], from tokens [B, S]: 1 for tokens and 0 for padding.
/// @throws std::invalid_argument unless tokens are [B, S].
IndexTensor padding_mask(const IndexTensor& tokens, std::int32_t padding);

/// Returns the rows of x [B, ...] with these numbers [N], in this order: [N, ...]. A row may occur
/// several times. Undefined if x is undefined.
Tensor of_rows(const Tensor& x, const IndexTensor& rows);

/// The same for a kv cache, for beam search. Copies only the filled positions. Records no gradient.
/// @param room is the capacity of the copy, in positions; 0: the same as the cache's.
/// @throws std::invalid_argument if a row is outside the batch, or the filled positions do not fit
/// into `room`.
KvCache of_rows(const KvCache& cache, const IndexTensor& rows, Index room = 0);

/// Returns the first `length` positions of a cache's keys or values [B, H, S, D].
Tensor filled(const Tensor& x, Index length);

/// While an object of this class exists, the attention layers on its thread store their weights in
/// it, before dropout, in the order of the calls. With a cache, only the weights of the new queries
/// are stored. Without such an object, no attention weights are stored.
/// @code
/// KeySequence keys(1);
/// const CausalSelfAttention attention(8, 2, keys);
/// const AttentionRecord record;
/// attention(ones({1, 2, 8}));
/// record.weights()[0];  // [[[[1, 0], [0.5, 0.5]], [[1, 0], [0.5, 0.5]]]]
/// @endcode
class AttentionRecord {
 public:
  /// Begins to record, until the end of the object's scope.
  AttentionRecord();
  ~AttentionRecord();
  AttentionRecord(const AttentionRecord&) = delete;
  AttentionRecord& operator=(const AttentionRecord&) = delete;

  /// The recorded weights, [B, H, T, S] each.
  const std::vector<Tensor>& weights() const { return weights_; }
  /// Records the weights of queries [B, H, T, D] and keys [B, H, S, D], if a record exists.
  static void keep(const Tensor& q, const Tensor& k, const AttentionOptions& options);
  /// Whether such an object exists on this thread.
  static bool active();

 private:
  AttentionRecord* outer_;
  std::vector<Tensor> weights_;
};

/// Multi-head attention: H heads, each with its own projections. The arguments are named as in
/// Keras.
/// \f[ y = \mathrm{concat}(Y_1, \dots, Y_H)\,W^o + b^o \f]
/// \f[ Y_i = \mathrm{attention}(x\,W_i^q + b_i^q,\; h\,W_i^k + b_i^k,\; h\,W_i^v + b_i^v) \f]
/// where x attends to the source h.
///
/// Each call can have a mask, a bias or both. The result at a position that may attend to no
/// position is the bias of the output layer. To see the weights, use an AttentionRecord.
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
  Scalar dropout = 0;  ///< probability for the attention weights, in training
  Tensor angles;       ///< the rotary_table() that rotates queries and keys, or undefined

  /// Widths of the heads, the source and the result; 0 selects the default.
  struct Sizes {
    Index key_dim = 0;       ///< width of a head's queries and keys; 0: C / num_heads
    Index value_dim = 0;     ///< width of a head's values; 0: key_dim
    Index output_shape = 0;  ///< width of the result; 0: C
    Index source = 0;        ///< width of the source of keys and values; 0: C
  };

  /// The keys and values that queries attend to.
  struct KeyValues {
    Tensor keys;    ///< [B, H, S, key_dim]
    Tensor values;  ///< [B, H, S, value_dim]
  };

  MultiHeadAttention() = default;
  /// For inputs with C = `channels`.
  /// @throws std::invalid_argument if key_dim is 0 and C is not a multiple of num_heads.
  MultiHeadAttention(Index channels, int num_heads, KeySequence& keys, const Sizes& sizes,
                     bool with_bias = true, Scalar dropout = 0);

  /// x [B, T, C] attends to source [B, S, source width] and gives y [B, T, output_shape]. For
  /// self-attention pass x as the source. The options' mask and bias, if given, broadcast to [B, H,
  /// T, S].
  Tensor operator()(const Tensor& x, const Tensor& source,
                    const AttentionOptions& options = {}) const;

  /// Computes the keys and values of a source [B, S, source width] whose first position is number
  /// `first`. This is the first half of operator(), for a source that many calls attend to.
  KeyValues key_values(const Tensor& source, Index first = 0) const;
  /// x [B, T, C], whose first position is number `first`, attends to these keys and values and
  /// gives y [B, T, output_shape].
  Tensor attend(const KeyValues& source, const Tensor& x, AttentionOptions options = {},
                Index first = 0) const;

  void fields(auto&& f) {
    f("query", query);
    f("key", key);
    f("value", value);
    f("output", output);
  }
};

/// Parts of a CausalSelfAttention that GPT-2 does not have.
/// @code
/// KeySequence keys(1);
/// const CausalSelfAttention attention(8, 4, keys, true, 0, {.kv_heads = 2});
/// attention.c_attn.weight.shape();  // [8, 16]
/// @endcode
struct SelfAttentionOptions {
  int kv_heads = 0;      ///< K, the number of heads of keys and values, each for H / K heads; 0: H
  Index head_width = 0;  ///< D, the width of a head; 0: C / H
  bool qk_norm =
      false;  ///< whether an RmsNorm over each head follows queries and keys, as in Qwen3
  Scalar epsilon = Scalar(1e-5);         ///< added to the mean square in this norm
  std::optional<bool> output_bias = {};  ///< whether c_proj has a bias; unset: as c_attn
  Index window = 0;  ///< a position attends to this many positions up to its own; 0: to all
};

/// Causal self-attention in GPT-2's layout: one matrix product computes queries, keys and values,
/// and all heads read them in place. MultiHeadAttention with the weight of c_attn split into three
/// gives the same result.
///
/// With fewer kv heads than heads, groups of heads share keys and values, and the kv cache is
/// smaller (Ainslie and others, "GQA", 2023). A norm of queries and keys bounds the scores (Henry
/// and others, "Query-key normalization for transformers", 2020). A window bounds the distance
/// (Jiang and others, "Mistral 7B", 2023).
/// @code
/// KeySequence keys(1);
/// const CausalSelfAttention attention(8, 2, keys);
/// attention(ones({1, 5, 8})).shape();  // [1, 5, 8]
/// @endcode
struct CausalSelfAttention {
  int num_heads = 0;             ///< H, the number of heads
  int kv_heads = 0;              ///< K, the number of heads of keys and values
  Index window = 0;              ///< positions that a position attends to; 0: all up to its own
  Linear c_attn;                 ///< [C, (H + 2 K) D], by default [C, 3 C]
  Linear c_proj;                 ///< [H D, C]
  RmsNorm q_norm;                ///< [D], for each head's queries; undefined without this norm
  RmsNorm k_norm;                ///< [D], for each head's keys
  Scalar attention_dropout = 0;  ///< probability for the attention weights, in training
  Dropout residual_dropout;      ///< applied to the result
  Tensor angles;                 ///< the rotary_table() that rotates queries and keys, or undefined

  CausalSelfAttention() = default;
  /// For inputs with C = `channels`.
  /// @throws std::invalid_argument if C is not a multiple of num_heads and no head_width is given,
  /// or num_heads is not a multiple of kv_heads.
  CausalSelfAttention(Index channels, int num_heads, KeySequence& keys, bool with_bias = true,
                      Scalar dropout = 0, const SelfAttentionOptions& options = {});

  /// x [B, T, C] to y [B, T, C]; position t attends to positions up to t. With a cache, the keys
  /// and values of x are appended to the cache, and x attends to all its positions. A bias [H, T,
  /// S], with S the number of positions attended to, is added to the scores. `turned_by` replaces
  /// `angles` in this call, if it is defined.
  Tensor operator()(const Tensor& x, KvCache* cache = nullptr, const Tensor& bias = Tensor(),
                    const Tensor& turned_by = Tensor()) const;

  void fields(auto&& f) {
    f("c_attn", c_attn);
    f("c_proj", c_proj);
    f("q_norm", q_norm);
    f("k_norm", k_norm);
  }
};

/// @}

}  // namespace gradus

//! [09 options]
// Attention. Letters: B batch, T queries, S keys, C channels, H heads, D = C / H.
#pragma once

#include "text.h"

namespace pocket {

/// The keys that a query may attend to, and a bias for its scores.
struct AttentionOptions {
  IndexTensor mask = {};  // broadcasts to [..., T, S]; 0 hides a key
  bool causal = false;    // hides later keys
  Tensor bias = {};       // broadcasts to [..., T, S]; chapter 13
};

inline Tensor hide(const IndexTensor& mask);  // what a mask adds to the scores
//! [09 options]

//! [09 attention]
/// softmax(q k^T / sqrt(D)): q [..., T, D] and k [..., S, D] to [..., T, S].
inline Tensor attention_weights(const Tensor& q, const Tensor& k,
                                const AttentionOptions& options = {}) {
  Tensor scores;
  //! [09.1]
  scores = matmul(q, k, {.b = true}) / std::sqrt(static_cast<Scalar>(q.size(-1)));
  //! [09.1]
  if (options.causal) scores = scores + hide(causal_mask(q.size(-2), k.size(-2)));
  if (options.mask.defined()) scores = scores + hide(options.mask);
  if (options.bias.defined()) scores = scores + options.bias;
  return softmax(scores);
}

inline Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                           const AttentionOptions& options = {}) {
  return matmul(attention_weights(q, k, options), v);
}
//! [09 attention]

//! [09 hide]
inline Tensor hide(const IndexTensor& mask) {
  std::vector<Scalar> values;
  //! [09.3]
  for (const std::int32_t visible : mask) values.push_back(visible ? 0 : -INFINITY);
  //! [09.3]
  return tensor(mask.shape(), values);
}
//! [09 hide]

//! [10 heads]
/// Channels h D to (h + 1) D become head h: [B, T, H D] to [B, H, T, D].
inline Tensor split_heads(const Tensor& x, Index heads) {
  check(x.size(-1) % heads == 0, "split_heads: ", x.shape(), " does not divide into ", heads);
  //! [10.1]
  return permute(reshape(x, {x.size(0), x.size(1), heads, -1}), {0, 2, 1, 3});
  //! [10.1]
}
//! [10 heads]

//! [10 MultiHeadAttention]
/// concat(head_1 ... head_H) W_o, where each head attends with queries, keys and values of its own.
struct MultiHeadAttention {
  struct Sizes {  // 0 is the usual choice
    Index key_dim = 0, value_dim = 0, output_shape = 0;
  };
  struct KeyValues {
    Tensor keys, values;  // [B, H, S, D] and [B, H, S, E]
  };
  MultiHeadAttention() = default;
  MultiHeadAttention(Index channels, int num_heads, KeySequence& keys, const Sizes& sizes,
                     bool with_bias = true, Scalar dropout = 0)
      : num_heads(num_heads), dropout(dropout) {
    check(sizes.key_dim || channels % num_heads == 0, "attention: ", channels,
          " channels do not divide into ", num_heads, " heads (choose others, or key_dim)");
    const Index key_dim = sizes.key_dim ? sizes.key_dim : channels / num_heads;
    const Index value_dim = sizes.value_dim ? sizes.value_dim : key_dim;
    query = Linear(channels, num_heads * key_dim, keys, with_bias);
    key = Linear(channels, num_heads * key_dim, keys, with_bias);
    value = Linear(channels, num_heads * value_dim, keys, with_bias);
    output = Linear(num_heads * value_dim, sizes.output_shape ? sizes.output_shape : channels, keys,
                    with_bias);
  }
  /// x [B, T, C] attends to a source [B, S, C]: itself, or another sequence.
  Tensor operator()(const Tensor& x, const Tensor& source,
                    const AttentionOptions& options = {}) const {
    return attend(key_values(source), x, options);
  }
  KeyValues key_values(const Tensor& source, Index first = 0) const {
    const Tensor keys = split_heads(key(source), num_heads);
    return {rotate ? rotate(keys, first) : keys, split_heads(value(source), num_heads)};
  }
  Tensor attend(const KeyValues& source, const Tensor& x, const AttentionOptions& options,
                Index first = 0) const {
    const Tensor q = split_heads(query(x), num_heads);
    const Tensor weights = attention_weights(rotate ? rotate(q, first) : q, source.keys, options);
    //! [10.2]
    const Tensor mixed = matmul(dropout_in_training(weights, dropout), source.values);
    return output(reshape(permute(mixed, {0, 2, 1, 3}), {x.size(0), x.size(1), -1}));
    //! [10.2]
  }
  void fields(auto&& f) {
    f("query", query), f("key", key), f("value", value), f("output", output);
  }
  int num_heads = 0;
  Scalar dropout = 0;  // of the attention weights
  Linear query, key, value, output;
  std::function<Tensor(const Tensor& x, Index first)> rotate;  // chapter 13, for positions
};
//! [10 MultiHeadAttention]

//! [11 padding]
/// Hides padding: tokens [B, S] to a mask [B, 1, 1, S], for all heads and queries.
inline IndexTensor padding_mask(const IndexTensor& tokens, std::int32_t padding) {
  //! [11.1]
  std::vector<std::int32_t> mask;
  for (const std::int32_t token : tokens) mask.push_back(token != padding);
  return IndexTensor({tokens.size(0), 1, 1, tokens.size(1)}, mask);
  //! [11.1]
}
//! [11 padding]

//! [09 end]
}  // namespace pocket
//! [09 end]

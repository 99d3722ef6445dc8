#include "nn/attention.h"

#include "autograd/check.h"
#include "autograd/ops/shape_ops.h"

namespace gradus {
namespace {

/// [B, T, H D] to [B, H, T, D].
Tensor split_heads(const Tensor& x, int heads) {
  return permute(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), {0, 2, 1, 3});
}

/// [B, H, T, D] to [B, T, H D].
Tensor join_heads(const Tensor& x) {
  return reshape(permute(x, {0, 2, 1, 3}), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}

void drop_in_training(AttentionOptions& options, Scalar dropout) {
  if (Training::active() && dropout > 0) {
    options.dropout = dropout;
    options.key = Training::next_key();
  }
}

Index head_width(const char* layer, Index channels, int heads) {
  check(heads >= 1 && channels % heads == 0, layer, ": ", channels,
        " channels do not divide among ", heads, " heads");
  return channels / heads;
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(Index channels, int heads, KeySequence& keys,
                                       const Sizes& sizes, bool with_bias, Scalar dropout)
    : num_heads(heads), dropout(dropout) {
  const Index key_dim =
      sizes.key_dim > 0 ? sizes.key_dim : head_width("MultiHeadAttention", channels, heads);
  const Index value_dim = sizes.value_dim > 0 ? sizes.value_dim : key_dim;
  const Index source = sizes.source > 0 ? sizes.source : channels;
  const Index out = sizes.output_shape > 0 ? sizes.output_shape : channels;
  query = Linear(channels, heads * key_dim, keys, with_bias);
  key = Linear(source, heads * key_dim, keys, with_bias);
  value = Linear(source, heads * value_dim, keys, with_bias);
  output = Linear(heads * value_dim, out, keys, with_bias);
}

Tensor MultiHeadAttention::operator()(const Tensor& x, const Tensor& source,
                                      AttentionOptions options) const {
  drop_in_training(options, dropout);
  const Tensor y = scaled_dot_product_attention(split_heads(query(x), num_heads),
                                                split_heads(key(source), num_heads),
                                                split_heads(value(source), num_heads), options);
  return output(join_heads(y));
}

CausalSelfAttention::CausalSelfAttention(Index channels, int heads, KeySequence& keys,
                                         bool with_bias, Scalar dropout)
    : num_heads(heads), attention_dropout(dropout), residual_dropout{dropout} {
  head_width("CausalSelfAttention", channels, heads);  // checks
  c_attn = Linear(channels, 3 * channels, keys, with_bias);
  c_proj = Linear(channels, channels, keys, with_bias);
}

Tensor CausalSelfAttention::operator()(const Tensor& x, KeyValueCache* cache) const {
  Tensor qkv = c_attn(x);
  if (angles.defined()) {
    const Index first = cache != nullptr ? cache->length : 0;
    qkv = prepare_heads(qkv, num_heads, {.table = angles, .first = first});
  }
  if (cache != nullptr) {
    return c_proj(cached_self_attention(qkv, *cache));
  }
  AttentionOptions options{.causal = true};
  drop_in_training(options, attention_dropout);
  return residual_dropout(c_proj(packed_self_attention(qkv, num_heads, options)));
}

}  // namespace gradus

#include "nn/layers/attention.h"

#include <algorithm>

#include "autograd/check.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/heads.h"
#include "autograd/ops/index.h"
#include "autograd/ops/shape.h"
#include "nn/layers/layers.h"

namespace gradus {
using namespace detail;
namespace {

thread_local AttentionRecord* innermost = nullptr;

void drop_in_training(const char* layer, AttentionOptions& options, Scalar dropout) {
  check_dropout(layer, dropout);
  if (Training::active() && dropout > 0) {
    options.dropout = dropout;
    options.key = Training::next_key();
  }
}

Index head_width(const char* layer, Index channels, int heads) {
  check(heads >= 1 && channels % heads == 0, layer, ": ", channels,
        " channels do not divide among ", heads, " heads");
  check_width(layer, channels);
  return channels / heads;
}

/// Applies the norm to the vector of each head: x [B, T, H D] to the same shape.
Tensor of_each_head(const RmsNorm& norm, const Tensor& x) {
  return reshape(norm(reshape(x, {x.size(0), x.size(1), -1, norm.weight.size()})), x.shape());
}

}  // namespace

IndexTensor padding_mask(const IndexTensor& tokens, std::int32_t padding) {
  check(tokens.rank() == 2, "padding_mask: needs tokens [B, S], got ", tokens.shape());
  IndexTensor mask(Shape{tokens.size(0), 1, 1, tokens.size(1)});
  std::ranges::transform(tokens, mask.mutable_data(), [=](std::int32_t t) { return t != padding; });
  return mask;
}

Tensor of_rows(const Tensor& x, const IndexTensor& rows) {
  if (!x.defined()) {
    return x;
  }
  const Tensor flat = embedding(rows, reshape(x, {x.size(0), -1}));
  return reshape(flat, x.shape().with(0, rows.size()));
}

KvCache of_rows(const KvCache& cache, const IndexTensor& rows, Index room) {
  const Shape shape = cache.keys.shape();  // [B, H, S, D]
  const Index heads = shape[1], width = shape[3];
  room = room > 0 ? room : shape[2];
  check(cache.length >= 0 && cache.length <= std::min(room, shape[2]),
        "of_rows: cache.length must be in [0, ", std::min(room, shape[2]), "], got ", cache.length);
  KvCache chosen(rows.size(), static_cast<int>(heads), room, width);
  chosen.length = cache.length;
  for (Index i = 0; i < rows.size(); ++i) {
    const Index row = rows.data()[i];
    check(row >= 0 && row < shape[0], "of_rows: rows must be in [0, ", shape[0], "), got ", row);
    for (Index head = 0; head < heads; ++head) {
      const Index from = (row * heads + head) * shape[2] * width;
      const Index to = (i * heads + head) * room * width, count = cache.length * width;
      std::copy_n(cache.keys.data() + from, count, chosen.keys.mutable_data() + to);
      std::copy_n(cache.values.data() + from, count, chosen.values.mutable_data() + to);
    }
  }
  return chosen;
}

Tensor filled(const Tensor& x, Index length) {
  return length < x.size(2) ? slice(x, 2, 0, length) : x;
}

AttentionRecord::AttentionRecord() : outer_(innermost) { innermost = this; }

AttentionRecord::~AttentionRecord() { innermost = outer_; }

bool AttentionRecord::active() { return innermost != nullptr; }

void AttentionRecord::keep(const Tensor& q, const Tensor& k, const AttentionOptions& options) {
  if (active()) {
    innermost->weights_.push_back(attention_weights(q, k, options));
  }
}

MultiHeadAttention::MultiHeadAttention(Index channels, int heads, KeySequence& keys,
                                       const Sizes& sizes, bool with_bias, Scalar dropout)
    : num_heads(heads), dropout(dropout) {
  const Index key_dim =
      sizes.key_dim > 0 ? sizes.key_dim : head_width("MultiHeadAttention", channels, heads);
  const Index value_dim = sizes.value_dim > 0 ? sizes.value_dim : key_dim;
  for (const Index width : {channels, key_dim, value_dim}) check_width("MultiHeadAttention", width);
  const Index source = sizes.source > 0 ? sizes.source : channels;
  const Index out = sizes.output_shape > 0 ? sizes.output_shape : channels;
  query = Linear(channels, heads * key_dim, keys, with_bias);
  key = Linear(source, heads * key_dim, keys, with_bias);
  value = Linear(source, heads * value_dim, keys, with_bias);
  output = Linear(heads * value_dim, out, keys, with_bias);
}

Tensor MultiHeadAttention::operator()(const Tensor& x, const Tensor& source,
                                      const AttentionOptions& options) const {
  return attend(key_values(source), x, options);
}

MultiHeadAttention::KeyValues MultiHeadAttention::key_values(const Tensor& source,
                                                             Index first) const {
  require_made("MultiHeadAttention", key.is_made());
  const Tensor keys = split_heads(key(source), num_heads);
  return {angles.defined() ? rotary(keys, angles, first) : keys,
          split_heads(value(source), num_heads)};
}

Tensor MultiHeadAttention::attend(const KeyValues& source, const Tensor& x,
                                  AttentionOptions options, Index first) const {
  require_made("MultiHeadAttention", query.is_made());
  Tensor queries = split_heads(query(x), num_heads);
  if (angles.defined()) {
    queries = rotary(queries, angles, first);
  }
  AttentionRecord::keep(queries, source.keys, options);
  drop_in_training("MultiHeadAttention", options, dropout);
  return output(
      join_heads(scaled_dot_product_attention(queries, source.keys, source.values, options)));
}

CausalSelfAttention::CausalSelfAttention(Index channels, int heads, KeySequence& keys,
                                         bool with_bias, Scalar dropout,
                                         const SelfAttentionOptions& options)
    : num_heads(heads),
      kv_heads(options.kv_heads > 0 ? options.kv_heads : heads),
      window(options.window),
      attention_dropout(dropout),
      residual_dropout{dropout} {
  constexpr const char* kLayer = "CausalSelfAttention";
  const Index width =
      options.head_width > 0 ? options.head_width : head_width(kLayer, channels, heads);
  check(heads >= 1 && heads % kv_heads == 0, kLayer,
        ": the number of heads must be a multiple of the number of kv heads, got ", heads, " and ",
        kv_heads);
  check_width(kLayer, width);
  c_attn = Linear(channels, (heads + 2 * Index{kv_heads}) * width, keys, with_bias);
  c_proj = Linear(heads * width, channels, keys, options.output_bias.value_or(with_bias));
  if (options.qk_norm) {
    q_norm = k_norm = RmsNorm(width, options.epsilon);
    k_norm.weight = ones({width}).set_requires_grad();
  }
}

Tensor CausalSelfAttention::operator()(const Tensor& x, KvCache* cache, const Tensor& bias,
                                       const Tensor& turned_by) const {
  constexpr const char* kLayer = "CausalSelfAttention";
  require_made(kLayer, c_attn.is_made());
  Tensor qkv = c_attn(x);
  const auto parts_of = [&] { return packed_heads(kLayer, qkv, num_heads, kv_heads).split(qkv); };
  if (q_norm.weight.defined()) {
    const std::vector<Tensor> parts = parts_of();
    qkv = concat({of_each_head(q_norm, parts[0]), of_each_head(k_norm, parts[1]), parts[2]}, -1);
  }
  if (const Tensor& table = turned_by.defined() ? turned_by : angles; table.defined()) {
    const Index first = cache != nullptr ? cache->length : 0;
    qkv = packed_rotary(qkv, num_heads, table, first, kv_heads);
  }
  const Tensor y = cache != nullptr ? cached_self_attention(qkv, *cache, bias, window) : Tensor();
  AttentionOptions options{.causal = true, .window = window, .bias = bias};
  if (AttentionRecord::active()) {
    const std::vector<Tensor> parts = parts_of();
    const Tensor keys =
        cache != nullptr ? filled(cache->keys, cache->length) : split_heads(parts[1], kv_heads);
    AttentionRecord::keep(split_heads(parts[0], num_heads),
                          repeat_heads(keys, num_heads / kv_heads), options);
  }
  if (cache != nullptr) {
    return c_proj(y);
  }
  drop_in_training("CausalSelfAttention", options, attention_dropout);
  return residual_dropout(c_proj(packed_self_attention(qkv, num_heads, options, kv_heads)));
}

}  // namespace gradus

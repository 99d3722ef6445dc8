//! [25 RmsNorm]
// The block of Llama (Touvron and others, 2023). Parameters and sizes have the names of its files.
// Letters: as in attention.h, and K heads of keys and values.
#pragma once

#include "gpt.h"

namespace pocket {

struct RmsNorm {
  RmsNorm() = default;
  explicit RmsNorm(Index channels, Scalar epsilon = Scalar(1e-5))
      : weight(ones({channels}).set_requires_grad()), epsilon(epsilon) {}
  Tensor operator()(const Tensor& x) const { return rms_norm(x, weight, epsilon); }
  void fields(auto&& f) { f("weight", weight); }
  Tensor weight;  // [C]
  Scalar epsilon = 0;
};
//! [25 RmsNorm]

//! [25 SwiGlu]
/// A feed-forward network with a gate (Shazeer, 2020): [B, T, C] to [B, T, hidden] and back.
struct SwiGlu {
  SwiGlu() = default;
  SwiGlu(Index channels, Index hidden, KeySequence& keys)
      : gate_proj(channels, hidden, keys, false),
        up_proj(channels, hidden, keys, false),
        down_proj(hidden, channels, keys, false) {}
  Tensor operator()(const Tensor& x) const {
    //! [25.2]
    return down_proj(silu(gate_proj(x)) * up_proj(x));
    //! [25.2]
  }
  void fields(auto&& f) {
    f("gate_proj", gate_proj), f("up_proj", up_proj), f("down_proj", down_proj);
  }
  Linear gate_proj, up_proj, down_proj;
};
//! [25 SwiGlu]

//! [25 grouped_attention]
/// Causal attention with fewer heads of keys and values than of queries (Ainslie and others, 2023):
/// q [B, H, T, D], k and v [B, K, S, D] to [B, H, T, D]. Query head h uses head h / (H / K),
/// rounded down. Queries and keys end at the same position.
inline Tensor grouped_attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  check(q.size(1) % k.size(1) == 0, "attention: ", q.size(1),
        " heads of queries do not divide into ", k.size(1), " groups");
  //! [25.3]
  const Index group = q.size(1) / k.size(1), rows = group * q.size(2);
  const IndexTensor one = causal_mask(q.size(2), k.size(2));
  std::vector<std::int32_t> mask;  // the rows of all heads of a group, one head after the other
  for (Index i = 0; i < group; ++i) mask.insert(mask.end(), one.begin(), one.end());
  const Tensor longer = reshape(q, {q.size(0), k.size(1), rows, q.size(3)});
  const AttentionOptions options{.mask = IndexTensor({rows, k.size(2)}, mask)};
  return reshape(scaled_dot_product_attention(longer, k, v, options), q.shape());
  //! [25.3]
}
//! [25 grouped_attention]

//! [25 GroupedAttention]
struct GroupedAttention {
  using KeyValues = MultiHeadAttention::KeyValues;  // [B, K, S, D]
  GroupedAttention() = default;
  GroupedAttention(Index channels, int heads, int kv_heads, KeySequence& keys,
                   bool with_bias = false)
      : heads(heads),
        kv_heads(kv_heads),
        q_proj(channels, channels, keys, with_bias),
        k_proj(channels, channels / heads * kv_heads, keys, with_bias),
        v_proj(channels, channels / heads * kv_heads, keys, with_bias),
        o_proj(channels, channels, keys, with_bias) {}
  /// x [B, T, C] has positions `first` on. A cache holds the keys and values of the positions
  /// before them, and gets those of x.
  Tensor operator()(const Tensor& x, KeyValues* cache = nullptr, Index first = 0) const {
    const auto rotated = [&](const Tensor& x) {
      return table.defined() ? rotary(x, table, first) : x;
    };
    const Tensor q = rotated(split_heads(q_proj(x), heads));
    KeyValues all{rotated(split_heads(k_proj(x), kv_heads)), split_heads(v_proj(x), kv_heads)};
    if (first > 0) all.keys = concat({cache->keys, all.keys}, 2);
    if (first > 0) all.values = concat({cache->values, all.values}, 2);
    if (cache) *cache = all;
    const Tensor mixed = grouped_attention(q, all.keys, all.values);
    return o_proj(reshape(permute(mixed, {0, 2, 1, 3}), x.shape()));
  }
  void fields(auto&& f) {
    f("q_proj", q_proj), f("k_proj", k_proj), f("v_proj", v_proj), f("o_proj", o_proj);
  }
  int heads = 0, kv_heads = 0;
  Linear q_proj, k_proj, v_proj, o_proj;
  Tensor table;  // of rotary(); fixed, not learned
};
//! [25 GroupedAttention]

//! [25 LlamaConfig]
struct LlamaConfig {
  Index vocab_size = 0, hidden_size = 0;                 // V, C
  Index intermediate_size = 0;                           // of the network; 0: 8 C / 3
  int num_hidden_layers = 0;                             // L
  int num_attention_heads = 0, num_key_value_heads = 0;  // H, K
  Index max_position_embeddings = 0;                     // the longest context
  double rope_theta = 10000;                             // the base of rotary positions
  double rms_norm_eps = 1e-5;
  bool tie_word_embeddings = true;

  Index inner() const { return intermediate_size > 0 ? intermediate_size : 8 * hidden_size / 3; }
  Index width() const { return hidden_size / num_attention_heads; }  // D
};
//! [25 LlamaConfig]

//! [25 LlamaBlock]
struct LlamaBlock {
  LlamaBlock(const LlamaConfig& c, KeySequence& keys)
      : self_attn(c.hidden_size, c.num_attention_heads, c.num_key_value_heads, keys),
        mlp(c.hidden_size, c.inner(), keys),
        input_layernorm(c.hidden_size, Scalar(c.rms_norm_eps)),
        post_attention_layernorm(c.hidden_size, Scalar(c.rms_norm_eps)) {}
  Tensor operator()(const Tensor& x, GroupedAttention::KeyValues* cache, Index first) const {
    const Tensor y = x + self_attn(input_layernorm(x), cache, first);
    return y + mlp(post_attention_layernorm(y));
  }
  void fields(auto&& f) {
    f("self_attn", self_attn), f("mlp", mlp), f("input_layernorm", input_layernorm);
    f("post_attention_layernorm", post_attention_layernorm);
  }
  GroupedAttention self_attn;
  SwiGlu mlp;
  RmsNorm input_layernorm, post_attention_layernorm;  // the second is before the network
};
//! [25 LlamaBlock]

//! [25 Llama]
struct Llama {
  explicit Llama(const LlamaConfig& given, std::uint64_t seed = 0) : config(given) {
    KeySequence keys(seed);
    embed_tokens = Embedding(config.vocab_size, config.hidden_size, keys);
    for (int i = 0; i < config.num_hidden_layers; ++i) layers.emplace_back(config, keys);
    norm = RmsNorm(config.hidden_size, Scalar(config.rms_norm_eps));
    if (!config.tie_word_embeddings) lm_head = zeros(embed_tokens.weight.shape());
    visit_parameters(*this, [&](const std::string&, Tensor& x) {
      if (x.rank() == 2) x = normal(x.shape(), keys.next(), 0, Scalar(0.02)).set_requires_grad();
    });
    rotate_by(rotary_table(config.max_position_embeddings, config.width(), config.rope_theta));
  }
  /// All layers use this table of rotary().
  void rotate_by(const Tensor& table) {
    for (LlamaBlock& layer : layers) layer.self_attn.table = table;
  }
  /// Tokens [B, T] to logits [B, T, V]. The tokens have positions `first` on; with caches, one for
  /// each layer, they follow the tokens that the caches hold.
  Tensor operator()(const IndexTensor& tokens,
                    std::vector<GroupedAttention::KeyValues>* caches = nullptr,
                    Index first = 0) const {
    Tensor x = embed_tokens(tokens);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      x = layers[i](x, caches ? &caches->at(i) : nullptr, first);
    }
    return matmul(norm(x), lm_head.defined() ? lm_head : embed_tokens.weight, {.b = true});
  }
  void fields(auto&& f) {
    f("embed_tokens", embed_tokens), f("layers", layers), f("norm", norm),
        f("lm_head.weight", lm_head);
  }
  LlamaConfig config;
  Embedding embed_tokens;
  std::vector<LlamaBlock> layers;
  RmsNorm norm;
  Tensor lm_head;  // [V, C], or none if the output is tied to the embedding
};
//! [25 Llama]

//! [25 frequencies]
/// The angle by which each pair of channels turns from one position to the next.
inline std::vector<double> rotary_frequencies(Index width, double base) {
  std::vector<double> frequencies;
  for (Index k = 0; k < width / 2; ++k) frequencies.push_back(angle(1, k, width, base));
  return frequencies;
}

/// The table of rotary() for any frequencies: [positions, D].
inline Tensor rotary_table(Index positions, const std::vector<double>& frequencies) {
  const Index half = std::ssize(frequencies);
  std::vector<Scalar> values;
  for (Index i = 0; i < positions * 2 * half; ++i) {
    const double a = double(i / (2 * half)) * frequencies[i % half];
    values.push_back(Scalar(i % (2 * half) < half ? std::cos(a) : std::sin(a)));
  }
  return tensor({positions, 2 * half}, values);
}

}  // namespace pocket
//! [25 frequencies]

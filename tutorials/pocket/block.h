//! [14 layers]
/// @file
/// The transformer's block: attention and a feed-forward network on a residual stream.
#pragma once

#include "position.h"

namespace pocket {

struct LayerNorm {
  LayerNorm() = default;
  explicit LayerNorm(Index channels) : weight(ones({channels})), bias(zeros({channels})) {
    weight.set_requires_grad();
    bias.set_requires_grad();
  }
  Tensor operator()(const Tensor& x) const { return layer_norm(x, weight, bias); }
  void fields(auto&& f) {
    f("weight", weight);
    f("bias", bias);
  }
  Tensor weight, bias;  // [C]
};

/// The same two layers at every position.
struct FeedForward {
  FeedForward() = default;
  FeedForward(Index channels, Index hidden, KeySequence& keys)
      : c_fc(channels, hidden, keys), c_proj(hidden, channels, keys) {}
  Tensor operator()(const Tensor& x) const { return c_proj(gelu(c_fc(x))); }
  void fields(auto&& f) {
    f("c_fc", c_fc);
    f("c_proj", c_proj);
  }
  Linear c_fc, c_proj;
};
//! [14 layers]

//! [14 Block]
enum class NormPlace { kPre, kPost };

struct LayerOptions {
  Index d_model = 512;  // C
  int num_heads = 8;    // H
  Index d_ff = 0;       // of the feed-forward network; 0 for 4 C
  Scalar dropout = Scalar(0.1);
  NormPlace norm_place = NormPlace::kPre;
  Position position = Position::kSinusoidal;
  Index max_length = 512;

  Index inner() const { return d_ff > 0 ? d_ff : 4 * d_model; }
  MultiHeadAttention make_attention(KeySequence& keys) const {
    check(d_model % num_heads == 0, "layers: d_model must be a multiple of num_heads, got ",
          d_model, " and ", num_heads);
    return MultiHeadAttention(d_model, num_heads, keys, {}, true, dropout);
  }
  PositionalEncoding make_positions(bool both_ways, KeySequence& keys) const {
    return PositionalEncoding({position, max_length, d_model, num_heads, both_ways, Scalar(0.1)},
                              keys);
  }
};

/// x + f(norm(x)), or norm(x + f(x)): a branch beside the residual stream.
inline Tensor residual(const Tensor& x, const LayerNorm& norm, const LayerOptions& options,
                       const std::function<Tensor(const Tensor&)>& branch) {
  const bool pre = options.norm_place == NormPlace::kPre;
  const Tensor y = x + dropout_in_training(branch(pre ? norm(x) : x), options.dropout);
  return pre ? y : norm(y);
}

/// Attention moves information between positions; the feed-forward network works on each.
struct Block {
  Block() = default;
  Block(const LayerOptions& options, KeySequence& keys)
      : options(options),
        ln_1(options.d_model),
        attn(options.make_attention(keys)),
        ln_2(options.d_model),
        mlp(options.d_model, options.inner(), keys) {}
  Tensor operator()(const Tensor& x, const AttentionOptions& attention = {}) const {
    const Tensor y =
        residual(x, ln_1, options, [&](const Tensor& x) { return attn(x, x, attention); });
    return residual(y, ln_2, options, mlp);
  }
  void fields(auto&& f) {
    f("ln_1", ln_1);
    f("attn", attn);
    f("ln_2", ln_2);
    f("mlp", mlp);
  }
  LayerOptions options;
  LayerNorm ln_1;
  MultiHeadAttention attn;
  LayerNorm ln_2;
  FeedForward mlp;
};

}  // namespace pocket
//! [14 Block]

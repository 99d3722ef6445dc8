//! [14 FeedForward]
// The transformer's block: attention and a feed-forward network on a residual stream.
#pragma once

#include "position.h"

namespace pocket {

/// The same two layers at every position: [B, T, C] to [B, T, hidden] and back.
struct FeedForward {
  FeedForward() = default;
  FeedForward(Index channels, Index hidden, KeySequence& keys)
      : c_fc(channels, hidden, keys), c_proj(hidden, channels, keys) {}
  Tensor operator()(const Tensor& x) const { return c_proj(gelu(c_fc(x))); }
  void fields(auto&& f) { f("c_fc", c_fc), f("c_proj", c_proj); }
  Linear c_fc, c_proj;
};
//! [14 FeedForward]

//! [14 LayerNorm]
struct LayerNorm {
  LayerNorm() = default;
  explicit LayerNorm(Index channels)
      : weight(ones({channels}).set_requires_grad()), bias(zeros({channels}).set_requires_grad()) {}
  Tensor operator()(const Tensor& x) const { return layer_norm(x, weight, bias); }
  void fields(auto&& f) { f("weight", weight), f("bias", bias); }
  Tensor weight, bias;  // [C]
};
//! [14 LayerNorm]

//! [14 LayerOptions]
enum class NormPlace { kPre, kPost };

struct LayerOptions {
  Index d_model = 512;  // C
  int num_heads = 8;    // H
  Index d_ff = 0;       // inner width of the network; 0: 4 C
  Scalar dropout = Scalar(0.1);
  NormPlace norm_place = NormPlace::kPre;
  Position position = Position::kSinusoidal;
  Index max_length = 512;

  Index inner() const { return d_ff > 0 ? d_ff : 4 * d_model; }
  PositionalEncoding make_positions(bool both_ways, KeySequence& keys) const {
    return PositionalEncoding({position, max_length, d_model, num_heads, both_ways}, keys);
  }
  MultiHeadAttention make_attention(KeySequence& keys) const {
    MultiHeadAttention attention(d_model, num_heads, keys, {}, true, dropout);
    if (position == Position::kRotary) {
      const Tensor table = rotary_table(max_length, d_model / num_heads);
      attention.rotate = [=](const Tensor& x, Index first) { return rotary(x, table, first); };
    }
    return attention;
  }
};
//! [14 LayerOptions]

//! [14 residual]
/// Pre-norm: x + dropout(f(norm(x))). Post-norm: norm(x + dropout(f(x))). f is the branch.
inline Tensor residual(const Tensor& x, const LayerNorm& norm, const LayerOptions& options,
                       const std::function<Tensor(const Tensor&)>& branch) {
  //! [14.3]
  const bool pre = options.norm_place == NormPlace::kPre;
  const Tensor y = x + dropout_in_training(branch(pre ? norm(x) : x), options.dropout);
  return pre ? y : norm(y);
  //! [14.3]
}
//! [14 residual]

//! [14 Block]
/// Attention moves information between positions; the network works on each position alone.
struct Block {
  Block(const LayerOptions& options, KeySequence& keys)
      : options(options),
        attn(options.make_attention(keys)),
        mlp(options.d_model, options.inner(), keys),
        ln_1(options.d_model),
        ln_2(options.d_model) {}
  Tensor operator()(const Tensor& x, const AttentionOptions& attention = {}) const {
    //! [14.4]
    const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
    return residual(residual(x, ln_1, options, attend), ln_2, options, mlp);
    //! [14.4]
  }
  void fields(auto&& f) { f("ln_1", ln_1), f("attn", attn), f("ln_2", ln_2), f("mlp", mlp); }
  LayerOptions options;
  MultiHeadAttention attn;
  FeedForward mlp;
  LayerNorm ln_1, ln_2;
};

}  // namespace pocket
//! [14 Block]

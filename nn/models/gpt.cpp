#include "nn/models/gpt.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>

#include "autograd/check.h"
#include "autograd/kernels/rows.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/random.h"
#include "autograd/ops/shape.h"
#include "nn/names.h"

namespace gradus {
using namespace detail;
namespace {

constexpr Scalar kInitialScale = Scalar(0.02), kUntiedPositions = Scalar(0.1);
constexpr Scalar kOutputGain = 4;

/// Replaces the layers' initial values with GPT-2's.
void initialise_as_gpt2(Gpt& gpt, KeySequence& keys) {
  const Scalar residual_scale =
      kInitialScale / std::sqrt(static_cast<Scalar>(2 * gpt.config.n_layer));
  visit_parameters(gpt, [&](std::string_view name, Tensor& parameter) {
    if (parameter.rank() == 2) {
      const Scalar scale = name.ends_with("c_proj.weight") ? residual_scale : kInitialScale;
      const Tensor values = normal(parameter.shape(), keys.next(), 0, scale);
      std::copy(values.begin(), values.end(), parameter.mutable_data());
    } else if (name.ends_with("bias")) {
      std::fill_n(parameter.mutable_data(), parameter.size(), Scalar(0));
    }
  });
}

/// Adapts the layers' initial values to an untied output layer.
void initialise_untied(Gpt& gpt) {
  visit_parameters(gpt, [&](std::string_view name, Tensor& parameter) {
    const bool is_zero = name.ends_with("bias") || name == "lm_head.weight";
    const Scalar scale = is_zero ? 0 : name == "transformer.ln_f.weight" ? kOutputGain : 1;
    row_scale(parameter.mutable_data(), scale, parameter.size());
  });
}

/// H D, the width of all queries of a position.
double width_of_queries(const GptConfig& c) {
  return static_cast<double>(c.head_width > 0 ? c.n_head * c.head_width : c.n_embd);
}

/// (H + 2 K) D, the width of its queries, keys and values.
double width_of_packed(const GptConfig& c) {
  return width_of_queries(c) * (1 + 2.0 * c.kv_heads() / c.n_head);
}

/// Zeros for the three positions that token_shift() reads before the first one.
Tensor nothing_before(const GptConfig& config, Index batch_size) {
  return config.token_shift ? zeros({batch_size, std::tuple_size_v<ShiftWidths> - 1, config.n_embd})
                            : Tensor();
}

}  // namespace

void GptConfig::validate() const {
  check(vocab_size >= 1, "gpt: vocab_size must be at least 1, got ", vocab_size);
  check(n_positions >= 1, "gpt: n_positions must be at least 1, got ", n_positions);
  check(n_layer >= 1, "gpt: n_layer must be at least 1, got ", n_layer);
  check(n_head >= 1, "gpt: n_head must be at least 1, got ", n_head);
  check(n_embd >= 1, "gpt: n_embd must be at least 1, got ", n_embd);
  check(head_width > 0 || n_embd % n_head == 0, "gpt: n_embd must be a multiple of n_head, got ",
        n_embd, " and ", n_head, " (choose for example n_embd ", (n_embd / n_head + 1) * n_head,
        ")");
  check(layer_norm_epsilon > 0, "gpt: layer_norm_epsilon must be above 0, got ",
        layer_norm_epsilon);
  check(n_inner >= 0, "gpt: n_inner must not be negative, got ", n_inner);
  check(head_width >= 0 && head_width <= 65536, "gpt: head_width must be from 0 to 65536, got ",
        head_width, " (0 stands for n_embd / n_head)");
  check(n_kv_head >= 0 && n_head % kv_heads() == 0,
        "gpt: n_head must be a multiple of n_kv_head, got ", n_head, " and ", n_kv_head,
        " (0 stands for n_head)");
  check(window >= 0 && window_from >= 0, "gpt: window and window_from must not be negative, got ",
        window, " and ", window_from);
  check(position != Position::kRotary || width() % 2 == 0,
        "gpt: rotary positions need an even number of channels in each head, got ", width(),
        " (choose another n_embd or n_head, or learned positions)");
  if (position == Position::kRotary) rotary.validate(width());
  check(
      (position != Position::kSinusoidal && position != Position::kConcatenated) || n_embd % 2 == 0,
      "gpt: sinusoidal positions need an even n_embd, got ", n_embd);
  check(norm != NormKind::kBatch,
        "gpt: batch norm would let each position use later tokens (choose layer or rms norm)");
  check(position != Position::kUnit,
        "gpt: unit positions need the length of the whole text, which is unknown during "
        "generation (choose another position)");
  for (const Scalar p : {dropout, attention_dropout.value_or(0), embedding_dropout.value_or(0)}) {
    check(p >= 0 && p < 1, "gpt: dropout must be in [0, 1), got ", p);
  }
}

bool GptConfig::is_gpt2() const {
  return activation == Activation::kGelu && position == Position::kLearned &&
         norm == NormKind::kLayer && !token_shift && tied && kv_heads() == n_head &&
         width() * n_head == n_embd && !qk_norm && qkv_bias.value_or(bias) == bias &&
         output_bias.value_or(bias) == bias && window == 0;
}

PositionOptions GptConfig::positions() const {
  return {.kind = position,
          .max_length = n_positions,
          .channels = n_embd,
          .heads = n_head,
          .both_ways = false,
          .scale = tied ? kInitialScale : kUntiedPositions,
          .head_width = head_width,
          .rotary = rotary};
}

SelfAttentionOptions GptConfig::attention(int block) const {
  return {.kv_heads = n_kv_head,
          .head_width = head_width,
          .qk_norm = qk_norm,
          .epsilon = layer_norm_epsilon,
          .output_bias = output_bias.value_or(bias),
          .window = window_of(block)};
}

Index parameter_count(const GptConfig& c) {
  const double channels = static_cast<double>(c.n_embd), inner = static_cast<double>(c.inner());
  const double biases = c.bias ? 1 : 0, gated = is_gated(c.activation) ? 2 : 1;
  const double norm = channels * (c.norm == NormKind::kLayer ? 1 + biases : 1);
  const double queries = width_of_queries(c), packed = width_of_packed(c);
  const double attention = channels * (packed + queries) +
                           (c.qkv_bias.value_or(c.bias) ? packed : 0) +
                           (c.output_bias.value_or(c.bias) ? channels : 0) +
                           (c.qk_norm ? 2 * static_cast<double>(c.width()) : 0);
  // C F and F C for the feed-forward network, and its biases F and C.
  const double block =
      attention + (gated + 1) * channels * inner + 2 * norm + biases * (channels + gated * inner);
  const double tables = static_cast<double>(c.vocab_size) * (c.tied ? 1 : 2) * channels;
  const double total =
      tables + static_cast<double>(parameter_count(c.positions())) + c.n_layer * block + norm;
  check(total < 9e15, "gpt: too many parameters to count: n_layer ", c.n_layer, ", n_embd ",
        c.n_embd, ", vocab_size ", c.vocab_size);
  return static_cast<Index>(total);
}

double forward_flops(const GptConfig& c, Index batch, Index time) {
  const double tokens = static_cast<double>(batch) * static_cast<double>(time);
  const double channels = static_cast<double>(c.n_embd);
  const double inner = static_cast<double>(c.inner()) * (is_gated(c.activation) ? 3 : 2);
  const double block = channels * (width_of_packed(c) + width_of_queries(c)) + channels * inner;
  const double matrices = c.n_layer * block + static_cast<double>(c.vocab_size) * channels;
  // Scores and weighted values; the causal mask skips half of them.
  const double attention = width_of_queries(c) * static_cast<double>(time + 1) * c.n_layer;
  return 2 * tokens * (matrices + attention);
}

BlockCache::BlockCache(const GptConfig& config, Index batch_size)
    : attention(batch_size, config.kv_heads(), config.n_positions, config.width()),
      before_attn(nothing_before(config, batch_size)),
      before_mlp(nothing_before(config, batch_size)) {}

BlockCache BlockCache::of_row(Index row) const {
  BlockCache one;
  one.attention = attention.of_row(row);
  one.before_attn = batch_row(before_attn, row);
  one.before_mlp = batch_row(before_mlp, row);
  return one;
}

BlockCache BlockCache::of_rows(const IndexTensor& rows) const {
  BlockCache chosen;
  chosen.attention = gradus::of_rows(attention, rows);
  chosen.before_attn = gradus::of_rows(before_attn, rows);
  chosen.before_mlp = gradus::of_rows(before_mlp, rows);
  return chosen;
}

void BlockCache::clear() {
  attention.length = 0;
  if (before_attn.defined()) {
    before_attn = zeros(before_attn.shape());  // not in place: copies share the memory
    before_mlp = zeros(before_mlp.shape());
  }
}

Block::Block(const GptConfig& config, const Tensor& angles, KeySequence& keys, int number)
    : ln_1(config.make_norm()),
      attn(config.n_embd, config.n_head, keys, config.qkv_bias.value_or(config.bias),
           config.dropout, config.attention(number)),
      ln_2(config.make_norm()),
      mlp(config.n_embd, config.inner(), keys, config.bias, config.dropout, config.activation),
      token_shift(config.token_shift) {
  attn.angles = angles;
  attn.attention_dropout = config.attention_dropout.value_or(config.dropout);
}

Tensor Block::operator()(const Tensor& x, BlockCache* cache, const Tensor& bias,
                         const Tensor& turned_by) const {
  require_made("Block", attn.c_attn.is_made());
  const auto shifted = [&](const Tensor& normed, Tensor BlockCache::*before) {
    const ShiftWidths widths = halving_widths(normed.size(-1));
    return !token_shift       ? normed
           : cache == nullptr ? gradus::token_shift(normed, widths)
                              : cached_token_shift(normed, widths, cache->*before);
  };
  const Tensor y = x + attn(shifted(ln_1(x), &BlockCache::before_attn),
                            cache != nullptr ? &cache->attention : nullptr, bias, turned_by);
  return y + mlp(shifted(ln_2(y), &BlockCache::before_mlp));
}

Gpt::Gpt(const GptConfig& gpt_config, std::uint64_t seed, WeightType weights) : config(gpt_config) {
  config.validate();
  KeySequence keys(seed, weights);
  wte = Embedding(config.vocab_size, config.n_embd, keys);
  wpe = PositionalEncoding(config.positions(), keys);
  for (int layer = 0; layer < config.n_layer; ++layer) {
    h.emplace_back(config, wpe.angles, keys, layer);
  }
  ln_f = config.make_norm();
  if (weights != WeightType::kFloat32) {
    if (!config.tied) narrow_head = NarrowMatrix(weights, config.vocab_size, config.n_embd);
    set_requires_grad(*this, false);
  } else if (config.tied) {
    initialise_as_gpt2(*this, keys);
  } else {
    lm_head = zeros({config.vocab_size, config.n_embd}).set_requires_grad();
    initialise_untied(*this);
  }
}

Tensor Gpt::features(const IndexTensor& tokens, std::span<BlockCache> caches) const {
  check(!wte.narrow.defined() || !Training::active(), "gpt: weights in ", name_of(weights()),
        " cannot be trained (load the model with weights in float32)");
  check(caches.empty() || caches.size() == h.size(), "gpt: needs a cache for each of its ",
        h.size(), " blocks, got ", caches.size());
  const Index begin = caches.empty() ? 0 : caches.front().attention.length;
  check(tokens.rank() == 2 && begin + tokens.size(1) <= config.n_positions,
        "gpt: needs tokens [B, T] with T at most ", config.n_positions - begin, ", got ",
        tokens.shape(), begin > 0 ? " after the cached positions" : "");
  const Index end = begin + tokens.size(1);
  check(begin == 0 || !config.rotary.changes_at(end), "gpt: beyond ", config.rotary.trained_length,
        " positions, dynamic scaling changes all keys, but the caches hold ", begin,
        " (clear them, and read all tokens again)");
  const Tensor bias = wpe.bias(tokens.size(1), end), angles = wpe.angles_for(end);
  Tensor x = dropout_in_training(wpe.embed(wte(tokens), begin),
                                 config.embedding_dropout.value_or(config.dropout));
  for (std::size_t i = 0; i < h.size(); ++i) {
    x = h[i](x, caches.empty() ? nullptr : &caches[i], bias, angles);
  }
  return ln_f(x);
}

Tensor Gpt::logits(const Tensor& features) const {
  if (wte.narrow.defined()) {
    return narrow_linear(features, config.tied ? wte.narrow : narrow_head);
  }
  return matmul(features, config.tied ? wte.weight : lm_head, {.b = true});
}

Tensor Gpt::operator()(const IndexTensor& tokens) const { return logits(features(tokens)); }

Tensor Gpt::loss(const IndexTensor& tokens, const IndexTensor& targets) const {
  return cross_entropy((*this)(tokens), targets);
}

}  // namespace gradus

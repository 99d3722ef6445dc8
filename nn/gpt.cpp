#include "nn/gpt.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "autograd/check.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/random.h"

namespace gradus {
namespace {

constexpr Scalar kInitialScale = Scalar(0.02);

/// GPT-2's initial values, in place of the layers' own.
void initialise(Gpt& gpt, KeySequence& keys) {
  const Scalar residual_scale =
      kInitialScale / std::sqrt(static_cast<Scalar>(2 * gpt.config.n_layer));
  visit_parameters(gpt, [&](std::string_view name, Tensor& parameter) {
    if (parameter.rank() == 2) {
      const Scalar scale = name.ends_with("c_proj.weight") ? residual_scale : kInitialScale;
      const Tensor values = normal(parameter.shape(), keys.next(), 0, scale);
      std::copy(values.begin(), values.end(), parameter.begin());
    } else if (name.ends_with("bias")) {
      std::fill(parameter.begin(), parameter.end(), Scalar(0));
    }
  });
}

}  // namespace

void GptConfig::validate() const {
  check(vocab_size >= 1, "gpt: vocab_size must be at least 1, got ", vocab_size);
  check(n_positions >= 1, "gpt: block_size must be at least 1, got ", n_positions);
  check(n_layer >= 1, "gpt: n_layer must be at least 1, got ", n_layer);
  check(n_head >= 1, "gpt: n_head must be at least 1, got ", n_head);
  check(n_embd >= 1, "gpt: n_embd must be at least 1, got ", n_embd);
  check(n_embd % n_head == 0, "gpt: n_embd must be a multiple of n_head, got ", n_embd, " and ",
        n_head, " (choose for example --n_embd=", (n_embd / n_head + 1) * n_head, ")");
  check(layer_norm_epsilon > 0, "gpt: layer_norm_epsilon must be above 0, got ",
        layer_norm_epsilon);
  check(dropout >= 0 && dropout < 1, "gpt: dropout must be in [0, 1), got ", dropout);
}

Index parameter_count(const GptConfig& c) {
  // Per block: 4 C^2 of attention, 8 C^2 of the feed-forward, two norms, and 3 C + C + 4 C + C
  // biases.
  const double channels = static_cast<double>(c.n_embd);
  const double biases = c.bias ? 1 : 0;
  const double block = 12 * channels * channels + 2 * channels + biases * 11 * channels;
  const double total =
      (static_cast<double>(c.vocab_size) + static_cast<double>(c.n_positions)) * channels +
      c.n_layer * block + (1 + biases) * channels;
  check(total < 9e15, "gpt: too many parameters to count: n_layer ", c.n_layer, ", n_embd ",
        c.n_embd, ", vocab_size ", c.vocab_size);
  return static_cast<Index>(total);
}

double forward_flops(const GptConfig& c, Index batch, Index time) {
  const double tokens = static_cast<double>(batch) * static_cast<double>(time);
  const double channels = static_cast<double>(c.n_embd);
  const double matrices =
      12 * channels * channels * c.n_layer + static_cast<double>(c.vocab_size) * channels;
  // Scores and weighted values, of which the causal mask leaves half.
  const double attention = channels * static_cast<double>(time + 1) * c.n_layer;
  return 2 * tokens * (matrices + attention);
}

Block::Block(const GptConfig& config, KeySequence& keys)
    : ln_1(config.n_embd, config.bias, config.layer_norm_epsilon),
      attn(config.n_embd, config.n_head, keys, config.bias, config.dropout),
      ln_2(config.n_embd, config.bias, config.layer_norm_epsilon),
      mlp(config.n_embd, 4 * config.n_embd, keys, config.bias, config.dropout) {}

Tensor Block::operator()(const Tensor& x, KeyValueCache* cache) const {
  const Tensor y = x + attn(ln_1(x), cache);
  return y + mlp(ln_2(y));
}

Gpt::Gpt(const GptConfig& gpt_config, std::uint64_t seed) : config(gpt_config) {
  config.validate();
  KeySequence keys(seed);
  wte = Embedding(config.vocab_size, config.n_embd, keys);
  wpe = Embedding(config.n_positions, config.n_embd, keys);
  for (int layer = 0; layer < config.n_layer; ++layer) {
    h.emplace_back(config, keys);
  }
  ln_f = LayerNorm(config.n_embd, config.bias, config.layer_norm_epsilon);
  initialise(*this, keys);
}

Tensor Gpt::features(const IndexTensor& tokens, std::span<KeyValueCache> caches) const {
  check(caches.empty() || caches.size() == h.size(), "gpt: needs a cache for each of its ",
        h.size(), " blocks, got ", caches.size());
  const Index begin = caches.empty() ? 0 : caches.front().length;
  check(tokens.rank() == 2 && begin + tokens.size(1) <= config.n_positions,
        "gpt: needs tokens [B, T] with T at most ", config.n_positions - begin, ", got ",
        tokens.shape(), begin > 0 ? " after what the caches hold" : "");
  const Tensor positions = slice(wpe.weight, 0, begin, begin + tokens.size(1));  // [T, C]
  Tensor x = dropout_in_training(wte(tokens) + positions, config.dropout);
  for (std::size_t i = 0; i < h.size(); ++i) {
    x = h[i](x, caches.empty() ? nullptr : &caches[i]);
  }
  return ln_f(x);
}

Tensor Gpt::logits(const Tensor& features) const {
  return matmul(features, wte.weight, {.b = true});
}

Tensor Gpt::operator()(const IndexTensor& tokens) const { return logits(features(tokens)); }

Tensor Gpt::loss(const IndexTensor& tokens, const IndexTensor& targets) const {
  return cross_entropy((*this)(tokens), targets);
}

}  // namespace gradus

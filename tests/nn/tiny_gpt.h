/// @file
/// A GPT with a few hundred parameters, and helpers for its tokens and values.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "autograd/ops/random.h"
#include "nn/models/gpt.h"
#include "nn/names.h"

namespace gradus {

inline GptConfig tiny_gpt_config() {
  return {.vocab_size = 6,
          .n_positions = 7,
          .n_layer = 2,
          .n_head = 2,
          .n_embd = 10,
          .dropout = Scalar(0.2),
          .bias = true};
}

/// Small decoders with the parts of Llama, Mistral, Qwen2 and Qwen3, and with each scaling of
/// rotary positions, by names.
inline std::vector<std::pair<std::string, GptConfig>> decoder_configs() {
  const GptConfig llama{.vocab_size = 11,
                        .n_positions = 13,
                        .n_layer = 2,
                        .n_head = 4,
                        .n_embd = 24,
                        .dropout = 0,
                        .n_inner = 10,
                        .activation = Activation::kSwiGlu,
                        .position = Position::kRotary,
                        .norm = NormKind::kRms,
                        .tied = false,
                        .n_kv_head = 2,
                        .rotary = {.base = 100}};
  std::vector<std::pair<std::string, GptConfig>> all{{"llama", llama}};
  const auto add = [&](const char* name, auto change) {
    change(all.emplace_back(name, llama).second);
  };
  add("llama, tied, one kv head", [](GptConfig& c) { c.tied = true, c.n_kv_head = 1; });
  add("llama with biases", [](GptConfig& c) { c.bias = true; });
  add("llama with biases of the attention",
      [](GptConfig& c) { c.qkv_bias = c.output_bias = true; });
  add("mistral", [](GptConfig& c) { c.window = 4, c.head_width = 10; });
  add("qwen2", [](GptConfig& c) { c.qkv_bias = true; });
  add("qwen2 with a window",
      [](GptConfig& c) { c.qkv_bias = true, c.window = 3, c.window_from = 1; });
  add("qwen3", [](GptConfig& c) { c.qk_norm = true, c.head_width = 8; });
  using enum RotaryScaling;
  for (const RotaryScaling scaling : {kLinear, kDynamic, kLlama3, kYarn}) {
    add(name_of(scaling), [&](GptConfig& c) {
      c.rotary.scaling = scaling;
      c.rotary.factor = 2.5;
      c.rotary.trained_length = 6;
      c.rotary.beta_fast = 0.9;  // within so short a text, no frequency makes many turns
      c.rotary.beta_slow = 0.1;
      c.rotary.slow = 0.2;
      c.rotary.fast = 0.8;
    });
  }
  return all;
}

/// A model with this config whose parameters all have an effect: none is 0, no norm is 1.
inline Gpt drawn_gpt(const GptConfig& config) {
  Gpt gpt(config, 5);
  std::uint32_t place = 0;
  visit_parameters(gpt, [&](const std::string& name, Tensor& parameter) {
    const bool is_norm =
        name.find("norm") != std::string::npos || name.find("ln_") != std::string::npos;
    Tensor drawn = normal(parameter.shape(), {.seed = 7, .place = place++}, is_norm ? 1 : 0,
                          is_norm ? Scalar(0.2) : Scalar(0.4));
    parameter = drawn.set_requires_grad();
  });
  return gpt;
}

/// Columns [begin, end) of tokens [B, T].
inline IndexTensor columns(const IndexTensor& tokens, Index begin, Index end) {
  IndexTensor part(Shape{tokens.size(0), end - begin});
  for (Index b = 0; b < tokens.size(0); ++b) {
    std::copy_n(tokens.data() + b * tokens.size(1) + begin, end - begin,
                part.mutable_data() + b * (end - begin));
  }
  return part;
}

/// All values of these tensors, one after the other.
inline std::vector<Scalar> all_values(const std::vector<NamedTensor>& tensors) {
  std::vector<Scalar> values;
  for (const auto& [name, tensor, role] : tensors) {
    values.insert(values.end(), tensor.begin(), tensor.end());
  }
  return values;
}

}  // namespace gradus

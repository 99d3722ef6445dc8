/// @file
/// A folder in the layout of Hugging Face's Llama: its sizes and its weights.
#pragma once

#if __has_include("pocket/weights.h")
#include "pocket/llama.h"  // of the program: with --mine, the reader's
#include "pocket/weights.h"
#else
#include "tutorials/pocket/llama.h"  // an exercise
#include "tutorials/pocket/weights.h"
#endif

using namespace pocket;

// [from_llama]
/// A Llama's tensors under pocket's names: without "model.", and with the matrices of all layers
/// transposed, which the file keeps as [out, in].
inline NamedTensors from_llama(const NamedTensors& theirs) {
  NamedTensors ours = renamed(theirs, {{"model.", ""}});
  for (auto& [name, x] : ours) {
    if (name.ends_with("_proj.weight")) x = permute(x, {1, 0});
  }
  return ours;
}
// [from_llama]

// [read_llama]
inline Llama read_llama(const std::string& folder) {
  const Flat config = flat_json(read_text(folder + "/config.json"));
  const auto expect = [&](const char* key, const char* value) {
    check(value_at(config, key) == value, "llama: can read ", key, " ", value, ", not ",
          value_at(config, key));
  };
  expect("model_type", "llama"), expect("hidden_act", "silu"), expect("rope_scaling", "null");
  expect("attention_bias", "false"), expect("mlp_bias", "false");
  Llama model({.vocab_size = whole(config, "vocab_size"),
               .hidden_size = whole(config, "hidden_size"),
               .intermediate_size = whole(config, "intermediate_size"),
               .num_hidden_layers = int(whole(config, "num_hidden_layers")),
               .num_attention_heads = int(whole(config, "num_attention_heads")),
               .num_key_value_heads = int(whole(config, "num_key_value_heads")),
               .max_position_embeddings = whole(config, "max_position_embeddings"),
               .rope_theta = std::stod(value_at(config, "rope_theta")),
               .rms_norm_eps = std::stod(value_at(config, "rms_norm_eps")),
               .tie_word_embeddings = value_at(config, "tie_word_embeddings") == "true"});
  fill(model, from_llama(read_safetensors(folder + "/model.safetensors")));
  return model;
}
// [read_llama]

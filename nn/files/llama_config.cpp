#include "nn/files/llama_config.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "autograd/check.h"
#include "nn/files/config_keys.h"

namespace gradus {
using namespace detail;
namespace {

constexpr Index kMostPositions = Index{1} << 30;

/// The values that Mistral's and Qwen's configs have for missing keys in transformers.
constexpr Index kUsualWindow = 4096, kUsualWindowFrom = 28;

/// The longest text, in a key of gradus's own, where it is not the one that factor gives.
constexpr const char* kOwnLength = "n_positions";

/// The key with a model's class, and the classes of the kinds.
constexpr const char* kArchitectures = "architectures";
constexpr std::array<const char*, 4> kClasses = {"LlamaForCausalLM", "MistralForCausalLM",
                                                 "Qwen2ForCausalLM", "Qwen3ForCausalLM"};

/// Keys that have no effect on logits: how the model was made, stored or trained, what its tokens
/// mean, and how text is sampled.
const std::set<std::string>& keys_without_effect() {
  static const std::set<std::string> keys = {"_name_or_path",
                                             "model_type",
                                             kArchitectures,
                                             "transformers_version",
                                             "torch_dtype",
                                             "dtype",
                                             "use_cache",
                                             "initializer_range",
                                             "pretraining_tp",
                                             "output_attentions",
                                             "output_hidden_states",
                                             "output_scores",
                                             "return_dict",
                                             "return_dict_in_generate",
                                             "torchscript",
                                             "use_bfloat16",
                                             "tf_legacy_loss",
                                             "tokenizer_class",
                                             "prefix",
                                             "auto_map",
                                             "_attn_implementation",
                                             "_attn_implementation_autoset",
                                             "attn_implementation",
                                             "gradient_checkpointing",
                                             "chunk_size_feed_forward",
                                             "finetuning_task",
                                             "problem_type",
                                             "task_specific_params",
                                             "id2label",
                                             "label2id",
                                             "num_labels",
                                             "is_decoder",
                                             "bos_token_id",
                                             "eos_token_id",
                                             "pad_token_id",
                                             "sep_token_id",
                                             "decoder_start_token_id",
                                             "bad_words_ids",
                                             "begin_suppress_tokens",
                                             "suppress_tokens",
                                             "forced_bos_token_id",
                                             "forced_eos_token_id",
                                             "max_length",
                                             "min_length",
                                             "do_sample",
                                             "early_stopping",
                                             "num_beams",
                                             "num_beam_groups",
                                             "diversity_penalty",
                                             "temperature",
                                             "top_k",
                                             "top_p",
                                             "typical_p",
                                             "repetition_penalty",
                                             "length_penalty",
                                             "no_repeat_ngram_size",
                                             "encoder_no_repeat_ngram_size",
                                             "num_return_sequences",
                                             "remove_invalid_values",
                                             "exponential_decay_length_penalty",
                                             "is_llama_config",
                                             "transformers.js_config"};
  return keys;
}

/// The longest text that is intended with dynamic or yarn scaling.
double longest_text(const RotaryOptions& r) {
  return static_cast<double>(r.trained_length) * r.factor;
}

/// The default of the yarn key attention_factor, from mscale and mscale_all_dim.
double yarn_factor(double factor, double scale) { return 0.1 * scale * std::log(factor) + 1; }

void read_rotary(ConfigKeys& config, GptConfig& c) {
  RotaryOptions& r = c.rotary;
  config.read("rope_theta", r.base);
  const bool is_new = config.has("rope_parameters"), is_old = config.has("rope_scaling");
  check(!is_new || !is_old || config["rope_parameters"] == config["rope_scaling"],
        "\"rope_parameters\" and \"rope_scaling\" must be equal if both are there (remove one)");
  if (!is_new && !is_old) {
    return;
  }
  const char* place = is_new ? "rope_parameters" : "rope_scaling";
  const Json& json = config[place];
  check(json.is_object(), "\"", place, "\" must be an object or null, got ", shown(json));
  ConfigKeys keys(json);
  const double outer_base = r.base;
  keys.read("rope_theta", r.base);
  check(!config.has("rope_theta") || r.base == outer_base,
        "\"rope_theta\" must be equal beside and in \"", place, "\", got ", outer_base, " and ",
        r.base, " (remove one)");
  keys.only("partial_rotary_factor", 1.0);
  const bool has_type = keys.has("type"), has_rope_type = keys.has("rope_type");
  check(!has_type || !has_rope_type || keys["type"] == keys["rope_type"],
        "\"rope_type\" and \"type\" in \"", place, "\" must be equal, got ",
        shown(json.value("rope_type", Json())), " and ", shown(json.value("type", Json())),
        " (remove one)");
  const char* type = has_rope_type ? "rope_type" : "type";
  if (is_old || keys.has(type)) {
    keys.require(type, r.scaling);
  }
  const bool is_yarn = r.scaling == RotaryScaling::kYarn;
  if (r.scaling != RotaryScaling::kNone) {
    keys.require("factor", r.factor);
  }
  if (r.scaling == RotaryScaling::kLlama3) {
    keys.require("low_freq_factor", r.slow);
    keys.require("high_freq_factor", r.fast);
    keys.required_size("original_max_position_embeddings", r.trained_length, kMostPositions);
  } else if (is_yarn || r.scaling == RotaryScaling::kDynamic) {
    r.trained_length = c.n_positions;
    keys.size("original_max_position_embeddings", r.trained_length, kMostPositions);
    // Without a longer max_position_embeddings, the factor gives the length that is intended.
    const double longest = longest_text(r);
    check(longest <= static_cast<double>(kMostPositions), "\"factor\" must give at most ",
          kMostPositions, " positions, got ", r.factor);
    c.n_positions = std::max(c.n_positions, static_cast<Index>(longest));
    config.size(kOwnLength, c.n_positions, kMostPositions);
  }
  if (is_yarn) {
    keys.read("beta_fast", r.beta_fast);
    keys.read("beta_slow", r.beta_slow);
    keys.read("truncate", r.whole_channels);
    double scale = 0, scale_of_all = 0;
    keys.read("mscale", scale);
    keys.read("mscale_all_dim", scale_of_all);
    if (scale != 0 && scale_of_all != 0) {
      r.attention_factor = yarn_factor(r.factor, scale) / yarn_factor(r.factor, scale_of_all);
    }
    keys.read("attention_factor", r.attention_factor);
  }
  keys.end(is_new ? " in \"rope_parameters\"" : " in \"rope_scaling\"");
}

/// Reads which blocks have a window: all, the blocks from max_window_layers on, or the blocks that
/// layer_types lists.
void read_windows(ConfigKeys& keys, LlamaKind kind, GptConfig& c) {
  bool is_used = kind == LlamaKind::kMistral;
  if (kind == LlamaKind::kLlama) {
    keys.only("sliding_window", Json());
  } else if (!is_used) {
    Index from = kUsualWindowFrom;
    keys.read("use_sliding_window", is_used);
    keys.read("max_window_layers", from);
    check(from >= 0 && from <= 65536, "\"max_window_layers\" must be from 0 to 65536, got ", from);
    c.window_from = is_used ? static_cast<int>(from) : 0;
  }
  Index window = keys.is_missing("sliding_window") ? kUsualWindow : 0;  // null: no window
  keys.size("sliding_window", window, kMostPositions);
  c.window = is_used ? window : 0;
  if (!keys.has("layer_types")) {
    return;
  }
  Json expected = Json::array();
  for (int block = 0; block < c.n_layer; ++block) {
    expected.push_back(c.window_of(block) > 0 ? "sliding_attention" : "full_attention");
  }
  check(keys["layer_types"] == expected,
        "\"layer_types\" must agree with the window: ", shown(expected), ", got ",
        shown(keys["layer_types"]));
}

Json rotary_json(const GptConfig& c) {
  const RotaryOptions& r = c.rotary;
  if (r.scaling == RotaryScaling::kNone) {
    return Json();
  }
  Json json = {{"rope_type", name_of(r.scaling)}, {"factor", r.factor}};
  if (r.scaling == RotaryScaling::kLlama3) {
    json["low_freq_factor"] = r.slow;
    json["high_freq_factor"] = r.fast;
  }
  if (r.scaling != RotaryScaling::kLinear) {
    json["original_max_position_embeddings"] = r.trained_length;
  }
  if (r.scaling == RotaryScaling::kYarn) {
    json["beta_fast"] = r.beta_fast;
    json["beta_slow"] = r.beta_slow;
    if (!r.whole_channels) json["truncate"] = false;
    if (r.attention_factor > 0) json["attention_factor"] = r.attention_factor;
  }
  return json;
}

}  // namespace

std::optional<LlamaKind> llama_kind(const GptConfig& c) {
  const bool has_parts = c.activation == Activation::kSwiGlu && c.position == Position::kRotary &&
                         c.norm == NormKind::kRms && !c.token_shift;
  if (!has_parts) {
    return std::nullopt;
  }
  const bool qkv = c.qkv_bias.value_or(c.bias), output = c.output_bias.value_or(c.bias);
  const bool has_window = c.window > 0 && c.window_from < c.n_layer;
  if (c.qk_norm) {
    return qkv == output && !c.bias ? std::optional(LlamaKind::kQwen3) : std::nullopt;
  }
  if (qkv && !output && !c.bias) return LlamaKind::kQwen2;
  if (has_window) {
    const bool is_mistral = !qkv && !output && !c.bias && c.window_from == 0;
    return is_mistral ? std::optional(LlamaKind::kMistral) : std::nullopt;
  }
  return qkv == output ? std::optional(LlamaKind::kLlama) : std::nullopt;
}

GptConfig read_llama_config(const Json& json, LlamaKind kind) {
  const auto number = static_cast<std::size_t>(kind);
  ConfigKeys keys(json, keys_without_effect());
  const Json classes = json.value(kArchitectures, Json());
  check(classes.is_null() || classes == Json::array({kClasses[number]}), "\"", kArchitectures,
        "\" must be [\"", kClasses[number], "\"] for \"model_type\" \"", name_of(kind), "\", got ",
        shown(classes), kRenameHint);
  for (const auto& [key, value] :
       std::initializer_list<FixedKey>{{"hidden_act", "silu"},
                                       {"is_encoder_decoder", false},
                                       {"add_cross_attention", false},
                                       {"cross_attention_hidden_size", Json()},
                                       {"tie_encoder_decoder", false},
                                       {"pruned_heads", Json::object()},
                                       {"quantization_config", Json()},
                                       {"compression_config", Json()},
                                       {"partial_rotary_factor", 1.0},
                                       {"rope_interleaved", false},
                                       {"use_mrope", false}}) {
    keys.only(key, value);
  }
  GptConfig c;
  c.activation = Activation::kSwiGlu;
  c.position = Position::kRotary;
  c.norm = NormKind::kRms;
  c.tied = false;
  c.layer_norm_epsilon = Scalar(1e-6);
  keys.required_size("vocab_size", c.vocab_size);
  keys.required_size("max_position_embeddings", c.n_positions, kMostPositions);
  keys.required_size("num_hidden_layers", c.n_layer);
  keys.required_size("num_attention_heads", c.n_head);
  keys.required_size("hidden_size", c.n_embd);
  keys.required_size("intermediate_size", c.n_inner);
  if (kind == LlamaKind::kLlama) {
    keys.size("num_key_value_heads", c.n_kv_head);  // the first Llamas' configs lack it
  } else {
    keys.required_size("num_key_value_heads", c.n_kv_head);
  }
  c.head_width = kind == LlamaKind::kQwen3 ? 128 : 0;  // where the key is missing
  keys.size("head_dim", c.head_width, 65536);
  keys.read("rms_norm_eps", c.layer_norm_epsilon);
  keys.read("tie_word_embeddings", c.tied);
  c.qk_norm = kind == LlamaKind::kQwen3;
  if (kind == LlamaKind::kQwen2) {
    c.qkv_bias = true;
    c.output_bias = false;
  } else if (kind != LlamaKind::kMistral) {
    bool attention = false;
    keys.read("attention_bias", attention);
    if (kind == LlamaKind::kLlama) keys.read("mlp_bias", c.bias);
    c.qkv_bias = c.output_bias = attention;
  }
  Scalar attention_dropout = 0, embedding_dropout = 0;
  c.dropout = 0;
  keys.read("resid_pdrop", c.dropout);  // written by gradus
  keys.read("attention_dropout", attention_dropout);
  keys.read("embd_pdrop", embedding_dropout);
  if (attention_dropout != c.dropout) c.attention_dropout = attention_dropout;
  if (embedding_dropout != c.dropout) c.embedding_dropout = embedding_dropout;
  read_rotary(keys, c);
  read_windows(keys, kind, c);
  keys.end("");
  c.validate();
  return c;
}

Json llama_config(const GptConfig& c, LlamaKind kind) {
  const bool is_qwen = kind == LlamaKind::kQwen2 || kind == LlamaKind::kQwen3;
  const bool is_dynamic = c.rotary.scaling == RotaryScaling::kDynamic;
  // A model that was trained in shorter blocks keeps the length that its scaling gives.
  Index longest = c.n_positions;
  if (is_dynamic || c.rotary.scaling == RotaryScaling::kYarn) {
    const auto scaled = static_cast<Index>(longest_text(c.rotary));
    longest = is_dynamic ? scaled : std::max(longest, scaled);
  }
  Json json = {{kArchitectures, {kClasses[static_cast<std::size_t>(kind)]}},
               {"model_type", name_of(kind)},
               {"vocab_size", c.vocab_size},
               {"max_position_embeddings", is_dynamic ? c.rotary.trained_length : longest},
               {"num_hidden_layers", c.n_layer},
               {"num_attention_heads", c.n_head},
               {"num_key_value_heads", c.kv_heads()},
               {"hidden_size", c.n_embd},
               {"head_dim", c.width()},
               {"intermediate_size", c.inner()},
               {"hidden_act", "silu"},
               {"rms_norm_eps", shortest(c.layer_norm_epsilon)},
               {"rope_theta", c.rotary.base},
               {"rope_scaling", rotary_json(c)},
               {"tie_word_embeddings", c.tied},
               {"attention_dropout", shortest(c.attention_dropout.value_or(c.dropout))},
               {"torch_dtype", "float32"}};
  if (kind == LlamaKind::kLlama || kind == LlamaKind::kQwen3) {
    json["attention_bias"] = c.qkv_bias.value_or(c.bias);
  }
  if (kind == LlamaKind::kLlama) {
    json["mlp_bias"] = c.bias;
  }
  if (is_qwen) {
    json["use_sliding_window"] = c.window > 0;
    json["max_window_layers"] = c.window > 0 ? c.window_from : c.n_layer;
  }
  if (kind != LlamaKind::kLlama) {
    json["sliding_window"] = c.window > 0 ? Json(c.window) : Json();
  }
  if (c.n_positions != longest) {
    json[kOwnLength] = c.n_positions;
  }
  if (c.dropout > 0) {
    json["resid_pdrop"] = shortest(c.dropout);
  }
  if (const Scalar dropout = c.embedding_dropout.value_or(c.dropout); dropout > 0) {
    json["embd_pdrop"] = shortest(dropout);
  }
  return json;
}

}  // namespace gradus

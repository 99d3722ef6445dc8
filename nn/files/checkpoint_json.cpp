#include "nn/files/checkpoint_json.h"

#include "nn/files/json_values.h"
#include "nn/files/llama_config.h"
#include "nn/files/read_model_file.h"

namespace gradus {
using namespace detail;
namespace {

/// The model_type of gradus's own models, and of GPT-2s, which other programs can read.
constexpr const char *kOwnType = "gradus", *kGpt2Type = "gpt2";

GptConfig read_gpt_config(const Json& json) {
  const Json type = json.value("model_type", Json(kGpt2Type));
  if (LlamaKind kind{}; type.is_string() && find_named(type.get<std::string>(), kind)) {
    return read_llama_config(json, kind);
  }
  check(type == kGpt2Type || type == kOwnType, "\"model_type\" must be \"", kGpt2Type, "\", \"",
        kOwnType, "\", ", all_names(LlamaKind{}), ", got ", shown(type), kRenameHint);
  check_fixed_keys(json,
                   {{"scale_attn_weights", true}, {"scale_attn_by_inverse_layer_idx", false}});
  GptConfig config;
  config.dropout = 0;   // the default for a missing key
  config.bias = true;   // as in GPT-2
  bool is_size = true;  // sizes come first, and every config has them
  visit_fields(config, [&]<class Value>(const char* key, Value& value) {
    const std::string_view name = key;
    is_size = is_size && name != "layer_norm_epsilon";
    const bool is_left_out = name == "n_inner" && json.value(key, Json()).is_null();
    if (!is_size && (!json.contains(key) || is_left_out)) return;
    if constexpr (std::is_same_v<Value, std::optional<Scalar>>) {
      Scalar dropout = 0;
      read_key(json, key, dropout);
      if (dropout != config.dropout) value = dropout;
    } else if constexpr (std::is_same_v<Value, std::optional<bool>>) {
      bool bias = false;
      read_key(json, key, bias);
      if (bias != config.bias) value = bias;
    } else if constexpr (std::is_same_v<Value, Index>) {
      read_size(json, key, value);
      check(name != "n_inner" || value >= 1, "\"n_inner\" must be null or at least 1, got ", value);
    } else {
      read_key(json, key, value);
    }
  });
  check(config.layer_norm_epsilon > 0, "\"layer_norm_epsilon\" must be above 0, got ",
        shown(json.value("layer_norm_epsilon", Json())));
  config.validate();
  return config;
}

TrainState read_state(const Json& json) {
  TrainState state;
  visit_fields(state, [&](const char* key, auto& value) { read_key(json, key, value); });
  check(state.step >= 0 && state.step <= kMostSteps, "\"step\" must be from 0 to ", kMostSteps,
        ", got ", state.step);
  check(state.evaluated_step >= -1 && state.evaluated_step <= state.step,
        "\"evaluated_step\" must be from -1 to \"step\", got ", state.evaluated_step);
  check(state.best_step >= 0 && state.best_step <= state.step,
        "\"best_step\" must be from 0 to \"step\", got ", state.best_step);
  check(json.contains("options") && json["options"].is_object(),
        "the object \"options\" is missing");
  visit_fields(state.options, [&](const char* key, auto& value) {
    const std::string_view name = key;
    if (json["options"].contains(key) ||
        (name != "dtype" && name != "local_steps")) {  // missing in older runs
      read_key(json["options"], key, value);
    }
  });
  state.options.validate();
  return state;
}

}  // namespace

void check_fixed_keys(const Json& json, std::initializer_list<FixedKey> more) {
  std::vector<FixedKey> keys = {{"add_cross_attention", false},   {"is_encoder_decoder", false},
                                {"pruned_heads", Json::object()}, {"quantization_config", Json()},
                                {"compression_config", Json()},   {"rope_scaling", Json()},
                                {"sliding_window", Json()}};
  keys.insert(keys.end(), more.begin(), more.end());
  for (const auto& [key, value] : keys) {
    const Json got = json.value(key, Json());
    const bool is_absent = !json.contains(key) || (got.is_null() && value != true);
    check(is_absent || got == value, "\"", key, "\" must be ", value.dump(), ", got ", shown(got),
          " (gradus supports no other value: use another model)");
  }
}

std::string config_to_json(const GptConfig& config) {
  if (const std::optional<LlamaKind> kind = llama_kind(config)) {
    return llama_config(config, *kind).dump(2) + "\n";
  }
  Json json = {{"scale_attn_weights", true}, {"scale_attn_by_inverse_layer_idx", false}};
  json["model_type"] = config.is_gpt2() ? kGpt2Type : kOwnType;
  json["architectures"] = {config.is_gpt2() ? "GPT2LMHeadModel" : "Gpt"};
  bool is_newer = false;  // the last fields have no names in GPT-2's config
  visit_fields(config, [&]<class Value>(const char* key, const Value& value) {
    const std::string_view name = key;
    is_newer = is_newer || name == "n_kv_head";
    if (is_newer && config.is_gpt2()) return;
    if constexpr (std::is_enum_v<Value>) {
      json[key] = name_of(value);
    } else if constexpr (std::is_same_v<Value, Scalar>) {
      json[key] = shortest(value);
    } else if constexpr (std::is_same_v<Value, std::optional<Scalar>>) {
      json[key] = shortest(value.value_or(config.dropout));
    } else if constexpr (std::is_same_v<Value, std::optional<bool>>) {
      json[key] = value.value_or(config.bias);
    } else {
      json[key] = name == "n_inner" && value == 0 ? Json() : Json(value);
    }
    if (name == "n_positions") json["n_ctx"] = config.n_positions;
  });
  return json.dump(2) + "\n";
}

GptConfig config_from_json(std::string_view json, const std::string& source) {
  return read_object(json, source, read_gpt_config);
}

void check_weights(const std::filesystem::path& folder, Index numbers) {
  constexpr Index kSmall = 1 << 24;  // below this, the message can name the wrong tensor
  std::uintmax_t bytes = 0;
  for (const auto& entry : entries_of(folder)) {
    const std::filesystem::path& file = entry.path();
    if (file.extension() == ".safetensors" && file.stem() != "optimizer" &&
        entry.is_regular_file()) {
      bytes += entry.file_size();
    }
  }
  if (numbers > kSmall && static_cast<std::uintmax_t>(numbers) > bytes) {
    throw std::runtime_error(text((folder / kConfigFile).string(), ": describes a model of ",
                                  numbers, " numbers or more, but the weights beside it are ",
                                  bytes, " bytes (the files do not belong together)"));
  }
}

std::string state_to_json(const TrainState& state) {
  Json json;
  visit_fields(state, [&]<class Value>(const char* key, const Value& value) {
    if constexpr (std::is_same_v<Value, std::optional<double>>) {
      json[key] = value ? Json(*value) : Json();
    } else {
      json[key] = value;
    }
  });
  visit_fields(state.options, [&]<class Value>(const char* key, const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
      json["options"][key] = name_of(value);
    } else {
      json["options"][key] = value;
    }
  });
  return json.dump(2) + "\n";
}

TrainState state_from_json(std::string_view json, const std::string& source) {
  return read_object(json, source, read_state);
}

}  // namespace gradus

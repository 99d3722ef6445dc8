#include "nn/files/checkpoint_json.h"

#include "nn/files/json_values.h"

namespace gradus {
using namespace detail;
namespace {

/// model_type of our own models, and of those that are GPT-2's and readable by other programs.
constexpr const char *kOwnType = "gradus", *kGpt2Type = "gpt2";

/// Calls f(name, value) for each part of the config that may be missing, with GPT-2's part as
/// default.
template <class Config, class Visit>
void visit_parts(Config& config, Visit&& f) {
  f("bias", config.bias);
  f("activation_function", config.activation);
  f("tie_word_embeddings", config.tied);
  f("position", config.position);
  f("norm", config.norm);
  f("token_shift", config.token_shift);
}

/// Calls f(name, value) for each part of the state except the options.
template <class State, class Visit>
void visit_state(State& state, Visit&& f) {
  f("step", state.step);
  f("evaluated_step", state.evaluated_step);
  f("best_val_loss", state.best_val_loss);
  f("best_step", state.best_step);
  f("last_loss", state.last_loss);
}

GptConfig read_gpt_config(const Json& json) {
  const Json type = json.value("model_type", Json(kGpt2Type));
  check(type == kGpt2Type || type == kOwnType, "\"model_type\" must be \"", kGpt2Type, "\" or \"",
        kOwnType, "\", got ", shown(type));
  check_fixed_keys(json,
                   {{"scale_attn_weights", true}, {"scale_attn_by_inverse_layer_idx", false}});
  GptConfig config;
  read_size(json, "vocab_size", config.vocab_size);
  read_size(json, "n_positions", config.n_positions);
  read_key(json, "n_layer", config.n_layer);
  read_key(json, "n_head", config.n_head);
  read_size(json, "n_embd", config.n_embd);
  if (json.contains("layer_norm_epsilon")) {  // Hugging Face's default is the same, 1e-5
    read_key(json, "layer_norm_epsilon", config.layer_norm_epsilon);
    check(config.layer_norm_epsilon > 0, "\"layer_norm_epsilon\" must be above 0, got ",
          shown(json["layer_norm_epsilon"]));
  }
  config.dropout = 0;  // by default
  if (json.contains("resid_pdrop")) {
    read_key(json, "resid_pdrop", config.dropout);
  }
  const auto read_apart = [&](const char* key, std::optional<Scalar>& out) {
    Scalar dropout = config.dropout;
    if (json.contains(key)) {
      read_key(json, key, dropout);
    }
    if (dropout != config.dropout) {
      out = dropout;
    }
  };
  read_apart("attn_pdrop", config.attention_dropout);
  read_apart("embd_pdrop", config.embedding_dropout);
  config.bias = true;  // as GPT-2
  visit_parts(config, [&](const char* key, auto& value) {
    if (json.contains(key)) {
      read_key(json, key, value);
    }
  });
  if (json.contains("n_inner") && !json["n_inner"].is_null()) {
    read_size(json, "n_inner", config.n_inner);
    check(config.n_inner >= 1, "\"n_inner\" must be null or at least 1, got ", config.n_inner);
  }
  config.validate();
  return config;
}

TrainState read_state(const Json& json) {
  TrainState state;
  visit_state(state, [&](const char* key, auto& value) { read_key(json, key, value); });
  check(state.step >= 0 && state.step <= kMostSteps, "\"step\" must be from 0 to ", kMostSteps,
        ", got ", state.step);
  check(state.evaluated_step >= -1 && state.evaluated_step <= state.step,
        "\"evaluated_step\" must be from -1 to \"step\", got ", state.evaluated_step);
  check(state.best_step >= 0 && state.best_step <= state.step,
        "\"best_step\" must be from 0 to \"step\", got ", state.best_step);
  check(json.contains("options") && json["options"].is_object(),
        "the object \"options\" is missing");
  TrainOptions::visit(state.options, [&](const char* key, auto& value) {
    const std::string_view name = key;
    if (json["options"].contains(key) ||
        (name != "dtype" && name != "local_steps")) {  // which older runs lack
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
          " (no other is computed here: the model needs another program)");
  }
}

std::string config_to_json(const GptConfig& config) {
  Json json = {{"scale_attn_weights", true}, {"scale_attn_by_inverse_layer_idx", false}};
  json["model_type"] = config.is_gpt2() ? kGpt2Type : kOwnType;
  json["architectures"] = {config.is_gpt2() ? "GPT2LMHeadModel" : "Gpt"};
  json["vocab_size"] = config.vocab_size;
  json["n_positions"] = config.n_positions;
  json["n_ctx"] = config.n_positions;
  json["n_layer"] = config.n_layer;
  json["n_head"] = config.n_head;
  json["n_embd"] = config.n_embd;
  json["layer_norm_epsilon"] = shortest(config.layer_norm_epsilon);
  json["resid_pdrop"] = shortest(config.dropout);
  json["embd_pdrop"] = shortest(config.embedding_dropout.value_or(config.dropout));
  json["attn_pdrop"] = shortest(config.attention_dropout.value_or(config.dropout));
  json["n_inner"] = config.n_inner > 0 ? Json(config.n_inner) : Json();
  visit_parts(config, [&]<class Part>(const char* key, const Part& part) {
    if constexpr (std::is_enum_v<Part>) {
      json[key] = name_of(part);
    } else {
      json[key] = part;
    }
  });
  return json.dump(2) + "\n";
}

GptConfig config_from_json(std::string_view json, const std::string& source) {
  return read_object(json, source, read_gpt_config);
}

void check_weights(const std::filesystem::path& folder, Index numbers) {
  constexpr Index kSmall = 1 << 24;  // below this, the wrong tensor can be named
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
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
  visit_state(state, [&]<class Value>(const char* key, const Value& value) {
    if constexpr (std::is_same_v<Value, std::optional<double>>) {
      json[key] = value ? Json(*value) : Json();
    } else {
      json[key] = value;
    }
  });
  TrainOptions::visit(state.options, [&]<class Value>(const char* key, const Value& value) {
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

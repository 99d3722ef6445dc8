#include "nn/train/checkpoint_json.h"

#include <array>
#include <charconv>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "autograd/check.h"
#include "nn/names.h"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

/// The shortest decimal number that reads back as this one: 0.2, where double(0.2f) prints
/// 0.20000000298.
double shortest(Scalar value) {
  std::array<char, 64> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return Json::parse(digits.data(), end).get<double>();
}

/// A value as a message shows it.
std::string shown(const Json& value) {
  const std::string dump = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return dump.size() <= 40 ? dump : dump.substr(0, 40) + "...";
}

void read_value(const Json& value, const char* key, bool& out) {
  check(value.is_boolean(), "\"", key, "\" must be true or false, got ", shown(value));
  out = value.get<bool>();
}

template <std::integral Integer>
void read_value(const Json& value, const char* key, Integer& out) {
  using Limits = std::numeric_limits<Integer>;
  const bool fits = value.is_number_unsigned()  ? std::in_range<Integer>(value.get<std::uint64_t>())
                    : value.is_number_integer() ? std::in_range<Integer>(value.get<std::int64_t>())
                                                : false;
  check(fits, "\"", key, "\" must be a whole number from ", Limits::min(), " to ", Limits::max(),
        ", got ", shown(value));
  out = value.get<Integer>();
}

template <std::floating_point Real>
void read_value(const Json& value, const char* key, Real& out) {
  check(value.is_number(), "\"", key, "\" must be a number, got ", shown(value));
  out = value.get<Real>();
}

/// null stands for none.
void read_value(const Json& value, const char* key, std::optional<double>& out) {
  out.reset();
  if (!value.is_null()) {
    read_value(value, key, out.emplace());
  }
}

/// One of an enum's names: see names_of().
template <class Enum>
requires std::is_enum_v<Enum>
void read_value(const Json& value, const char* key, Enum& out) {
  const bool known = value.is_string() && find_named(value.get<std::string>(), out);
  check(known, "\"", key, "\" must be ", all_names(out), ", got ", shown(value));
}

template <class Value>
void read_key(const Json& json, const char* key, Value& out) {
  check(json.contains(key), "the key \"", key, "\" is missing");
  read_value(json[key], key, out);
}

/// A size of a model. 32 bits are enough, and products of two cannot overflow.
void read_size(const Json& json, const char* key, Index& out) {
  std::int32_t size = 0;
  read_key(json, key, size);
  out = size;
}

/// Parses an object and hands it to `read`; whatever is wrong becomes an error that names `source`.
template <class Read>
auto read_object(std::string_view text, const std::string& source, Read read) {
  try {
    const Json json = Json::parse(text);
    check(json.is_object(), "is not a JSON object");
    return read(json);
  } catch (const Json::exception& error) {
    throw std::runtime_error(source + ": is not JSON (the file is damaged or not complete)");
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(source + ": " + error.what());
  }
}

/// What a config may say that Gpt is, and only so; a key that is absent says the same.
const Json& fixed_keys() {
  static const Json keys = {
      {"scale_attn_weights", true},
      {"scale_attn_by_inverse_layer_idx", false},
  };
  return keys;
}

/// The names of our own models, and of those that are GPT-2's and can be read by others.
constexpr const char *kOwnType = "gradus", *kGpt2Type = "gpt2";

/// Calls f(name, value) for each part of the config that may be missing and is GPT-2's then.
template <class Config, class Visit>
void visit_parts(Config& config, Visit&& f) {
  f("bias", config.bias);
  f("activation_function", config.activation);
  f("tie_word_embeddings", config.tied);
  f("position", config.position);
  f("norm", config.norm);
  f("token_shift", config.token_shift);
}

/// Calls f(name, value) for each part of the state but the options.
template <class State, class Visit>
void visit_state(State& state, Visit&& f) {
  f("step", state.step);
  f("evaluated_step", state.evaluated_step);
  f("best_val_loss", state.best_val_loss);
  f("best_step", state.best_step);
  f("last_loss", state.last_loss);
}

GptConfig read_config(const Json& json) {
  const Json type = json.value("model_type", Json(kGpt2Type));
  check(type == kGpt2Type || type == kOwnType, "\"model_type\" must be \"", kGpt2Type, "\" or \"",
        kOwnType, "\", got ", shown(type));
  for (const auto& [key, value] : fixed_keys().items()) {
    check(!json.contains(key) || json[key] == value, "\"", key, "\" must be ", value.dump(),
          ", got ", shown(json.value(key, Json())));
  }
  GptConfig config;
  read_size(json, "vocab_size", config.vocab_size);
  read_size(json, "n_positions", config.n_positions);
  read_key(json, "n_layer", config.n_layer);
  read_key(json, "n_head", config.n_head);
  read_size(json, "n_embd", config.n_embd);
  read_key(json, "layer_norm_epsilon", config.layer_norm_epsilon);
  check(config.layer_norm_epsilon > 0, "\"layer_norm_epsilon\" must be above 0, got ",
        shown(json["layer_norm_epsilon"]));
  config.dropout = 0;  // unless told
  for (const char* key : {"resid_pdrop", "embd_pdrop", "attn_pdrop"}) {
    if (json.contains(key)) {
      read_key(json, key, config.dropout);
      check(json[key] == json.value("resid_pdrop", Json()), "\"", key, "\" must be equal to ",
            "\"resid_pdrop\", got ", shown(json[key]));
    }
  }
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
  check(state.best_step >= 0 && state.best_step <= state.step,
        "\"best_step\" must be from 0 to \"step\", got ", state.best_step);
  check(json.contains("options") && json["options"].is_object(),
        "the object \"options\" is missing");
  TrainOptions::visit(state.options,
                      [&](const char* key, auto& value) { read_key(json["options"], key, value); });
  state.options.validate();
  return state;
}

}  // namespace

std::string config_to_json(const GptConfig& config) {
  const double dropout = shortest(config.dropout);
  Json json = fixed_keys();
  json["model_type"] = config.is_gpt2() ? kGpt2Type : kOwnType;
  json["architectures"] = {config.is_gpt2() ? "GPT2LMHeadModel" : "Gpt"};
  json["vocab_size"] = config.vocab_size;
  json["n_positions"] = config.n_positions;
  json["n_ctx"] = config.n_positions;
  json["n_layer"] = config.n_layer;
  json["n_head"] = config.n_head;
  json["n_embd"] = config.n_embd;
  json["layer_norm_epsilon"] = shortest(config.layer_norm_epsilon);
  json["resid_pdrop"] = dropout;
  json["embd_pdrop"] = dropout;
  json["attn_pdrop"] = dropout;
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
  return read_object(json, source, read_config);
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
  TrainOptions::visit(state.options,
                      [&](const char* key, const auto& value) { json["options"][key] = value; });
  return json.dump(2) + "\n";
}

TrainState state_from_json(std::string_view json, const std::string& source) {
  return read_object(json, source, read_state);
}

}  // namespace gradus

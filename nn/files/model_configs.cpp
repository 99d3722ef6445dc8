#include "nn/files/model_configs.h"

#include <map>

#include "nn/files/adapter_files.h"
#include "nn/files/checkpoint.h"
#include "nn/files/checkpoint_json.h"
#include "nn/files/json_values.h"
#include "nn/files/llama_config.h"
#include "nn/files/read_model_file.h"
#include "nn/files/tokenizer_files.h"
#include "nn/text/file.h"
#include "nn/text/special_tokens.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char *kType = "model_type", *kLabels = "labels";
constexpr const char* kLabelsBert = "BertForSequenceClassification";
constexpr std::size_t kLongestLabel = 200;
constexpr Index kMostLabels = 100'000;

bool is_label(const Json& label) {
  return label.is_string() && label.get_ref<const std::string&>().size() <= kLongestLabel;
}

/// The "model_type" of each kind. checkpoint_json.cpp reads and writes a GPT's.
constexpr std::array<const char*, 5> kTypes = {"gpt2", "bert", "gradus-classifier",
                                               "gradus-translator", "gradus-vit"};

/// The "model_type" of a Bert with parts that are not BERT's: other programs would misread it.
constexpr const char* kOwnBertType = "gradus-bert";

const char* type_of(ModelKind kind) { return kTypes[static_cast<std::size_t>(kind)]; }

/// Adds the sizes with the names of Hugging Face's BertConfig, so that other programs can read the
/// model. A Bert with parts that are not BERT's gets kOwnBertType instead, since other programs
/// would misread it.
void add_bert_names(Json& json, const BertConfig& config, const std::vector<std::string>& labels,
                    std::int32_t pad) {
  if (!config.is_bert()) {
    json[kType] = kOwnBertType;
    return;
  }
  const LayerOptions& layer = config.layer;
  json["architectures"] = {config.n_labels > 0 ? kLabelsBert : "BertForMaskedLM"};
  json["hidden_size"] = layer.d_model;
  json["num_hidden_layers"] = config.n_layer;
  json["num_attention_heads"] = layer.num_heads;
  json["intermediate_size"] = layer.inner();
  json["hidden_act"] = "gelu";
  json["hidden_dropout_prob"] = shortest(layer.dropout);
  json["attention_probs_dropout_prob"] = shortest(layer.dropout);
  json["max_position_embeddings"] = layer.max_length;
  json["layer_norm_eps"] = shortest(layer.epsilon);
  json["pad_token_id"] = pad;
  if (labels.empty()) {
    return;
  }
  Json::object_t names;  // this object is a list: [] would search it for each label
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    names.push_back({std::to_string(i), labels[i]});
    numbers.emplace(labels[i], i);
  }
  json["id2label"] = std::move(names);
  json["label2id"] = numbers;
}

/// The names of the labels in a config of Hugging Face's. Only a BertForSequenceClassification has
/// labels.
std::vector<std::string> hugging_face_labels(const Json& json) {
  const Json heads = json.value("architectures", Json::array());
  if (!heads.is_array() || std::ranges::find(heads, Json(kLabelsBert)) == heads.end()) {
    return {};
  }
  Json given = json.value("id2label", Json::object());
  if (given.is_null()) given = Json::object();
  check(given.is_object(), "\"id2label\" must be an object, got ", shown(given));
  const nlohmann::json names = given;                   // a sorted map, for fast lookup
  Index count = names.empty() ? 2 : std::ssize(names);  // the default in Hugging Face's configs
  if (names.empty() && json.contains("num_labels")) {
    read_size(json, "num_labels", count);
  }
  check(count >= 2 && count <= kMostLabels, "a classifier must have from 2 to ", kMostLabels,
        " labels, got ", count);
  std::vector<std::string> labels;
  for (Index i = 0; i < count; ++i) {
    const std::string standard = "LABEL_" + std::to_string(i);
    const Json label = names.value(std::to_string(i), nlohmann::json(standard));
    check(is_label(label), "\"id2label\" must give strings of at most ", kLongestLabel,
          " bytes, got ", shown(label));
    labels.push_back(label);
  }
  return labels;
}

/// Reads Hugging Face's BertConfig. Missing keys have BERT's values.
BertConfig read_hugging_face(const Json& json) {
  BertConfig config;
  LayerOptions& layer = config.layer;
  read_size(json, "vocab_size", config.vocab_size);
  read_size(json, "hidden_size", layer.d_model);
  read_key(json, "num_hidden_layers", config.n_layer);
  read_key(json, "num_attention_heads", layer.num_heads);
  read_size(json, "intermediate_size", layer.d_ff);
  read_size(json, "max_position_embeddings", layer.max_length);
  const auto read_other = [&](const char* key, auto& out) {
    if (json.contains(key)) {
      read_key(json, key, out);
    }
  };
  layer.dropout = Scalar(0.1);
  read_other("hidden_dropout_prob", layer.dropout);
  read_other("layer_norm_eps", layer.epsilon);
  read_other("type_vocab_size", config.type_vocab_size);
  Activation activation = Activation::kGeluErf;
  if (!json.value("hidden_act", Json()).is_null()) {
    read_key(json, "hidden_act", activation);
  }
  check(activation == layer.activation, "\"hidden_act\" must be \"gelu\", got ",
        shown(json.value("hidden_act", Json())));
  config.n_labels = std::ssize(hugging_face_labels(json));
  return config;
}

/// The kind of model; nothing if the type is unknown. The oldest configs do not contain the type.
std::optional<ModelKind> kind_of(const Json& json) {
  const Json type = json.value(kType, Json(json.contains("hidden_size") ? "bert" : "gpt2"));
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (type == kTypes[i]) {
      return static_cast<ModelKind>(i);
    }
  }
  LlamaKind llama{};
  const bool is_llama = type.is_string() && find_named(type.get<std::string>(), llama);
  return type == "gradus" || is_llama ? std::optional(ModelKind::kGpt)
         : type == kOwnBertType       ? std::optional(ModelKind::kBert)
                                      : std::nullopt;
}

template <class Config>
void save(const fs::path& folder, ModelKind kind, const Config& config,
          const std::vector<std::string>& labels, [[maybe_unused]] std::int32_t pad = 0) {
  Json json;
  json[kType] = type_of(kind);
  visit_fields(config, [&]<class Value>(const char* key, const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
      json[key] = name_of(value);
    } else if constexpr (std::is_same_v<Value, Scalar>) {
      json[key] = shortest(value);
    } else {
      json[key] = value;
    }
  });
  if constexpr (std::is_same_v<Config, BertConfig>) {
    add_bert_names(json, config, labels, pad);
  }
  if (!labels.empty()) {
    json[kLabels] = labels;
  }
  const std::string written = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  check(written.size() <= kLargestJson, kConfigFile, " must have at most ", kLargestJson,
        " bytes, or it cannot be read again; the ", labels.size(),
        " labels need more (shorten them)");
  write_file((folder / kConfigFile).string(), written);
}

/// The folder with a model's config: the base's, unless an adapter has its own config for other
/// labels.
fs::path folder_of_config(const fs::path& folder) {
  return fs::exists(folder / kConfigFile) ? folder : base_of(folder);
}

/// Passes the JSON object of the folder's config to `read`.
template <class Read>
auto read_config(const fs::path& folder, Read read) {
  const std::string file = (folder_of_config(folder) / kConfigFile).string();
  return read_object(read_model_file(file, kLargestJson), file, read);
}

/// The limits for one size and for the number of parameters. A size is about a million at most, so
/// that the products of two sizes are at most 2^40. Larger models are not trained here, and a
/// damaged file must not make the program use all memory.
constexpr Index kMostOfOne = 1 << 20, kMostParameters = Index{1} << 31;

/// Checks the sizes. Returns a lower bound on the number of parameters.
template <class Config>
Index check_sizes(const Config& config, Index tokens) {
  const LayerOptions& layer = config.layer;
  for (const Index size : {layer.d_model, layer.inner(), layer.max_length, tokens}) {
    check(size >= 1 && size <= kMostOfOne, "a size must be from 1 to ", kMostOfOne, ", got ", size);
  }
  check(config.n_layer >= 1 && config.n_layer <= 1000, "\"n_layer\" must be from 1 to 1000, got ",
        config.n_layer);
  layer.validate();
  const Index per_layer = 8 * layer.d_model * layer.d_model + 3 * layer.d_model * layer.inner();
  const Index tables = (2 * tokens + layer.max_length) * layer.d_model;
  check(per_layer <= kMostParameters / config.n_layer && tables <= kMostParameters,
        "describes a model that is too large (the file is damaged)");
  return config.n_layer * (4 * layer.d_model * layer.d_model + 2 * layer.d_model * layer.inner()) +
         (tokens + layer.max_length) * layer.d_model;
}

template <class Config>
Config load(const fs::path& folder, ModelKind kind, Index (*tokens)(const Config&)) {
  return read_config(folder, [&](const Json& json) {
    check(kind_of(json) == kind, "\"", kType, "\" must be \"", type_of(kind), "\", got ",
          shown(json.value(kType, Json())));
    if (kind == ModelKind::kBert) {
      check_fixed_keys(json, {{"position_embedding_type", "absolute"},
                              {"is_decoder", false},
                              {"problem_type", "single_label_classification"}});
    } else {
      check_fixed_keys(json);
    }
    Config config;
    const auto read_own = [&] {
      visit_fields(config, [&](const char* key, auto& value) { read_key(json, key, value); });
    };
    if constexpr (std::is_same_v<Config, BertConfig>) {
      if (json.contains("d_model")) {
        read_own();
      } else {
        config = read_hugging_face(json);
      }
      check(config.type_vocab_size >= 1 && config.n_labels >= 0,
            "\"type_vocab_size\" must be at least 1 and \"n_labels\" not negative, got ",
            config.type_vocab_size, " and ", config.n_labels);
    } else {
      read_own();
    }
    check_weights(base_of(folder), check_sizes(config, tokens(config)));
    return config;
  });
}

}  // namespace

ModelKind kind_of_checkpoint(const fs::path& folder) {
  return read_config(folder, [](const Json& json) {
    const std::optional<ModelKind> kind = kind_of(json);
    check(kind.has_value(), "\"", kType, "\" must be \"gpt2\", \"bert\", ", all_names(LlamaKind{}),
          ", or a name that gradus writes, got ", shown(json.value(kType, Json())), kRenameHint);
    return *kind;
  });
}

void save_config(const fs::path& folder, const TransformerConfig& config) {
  save(folder, ModelKind::kTranslator, config, {});
}
void save_config(const fs::path& folder, const BertConfig& config,
                 const std::vector<std::string>& labels, std::int32_t pad) {
  save(folder, ModelKind::kBert, config, labels, pad);
}
void save_config(const fs::path& folder, const ClassifierConfig& config,
                 const std::vector<std::string>& labels) {
  save(folder, ModelKind::kClassifier, config, labels);
}
void save_config(const fs::path& folder, const VisionConfig& config,
                 const std::vector<std::string>& labels) {
  save(folder, ModelKind::kVision, config, labels);
}

TransformerConfig load_transformer_config(const fs::path& folder) {
  return load<TransformerConfig>(folder, ModelKind::kTranslator, [](const TransformerConfig& c) {
    return std::max(c.src_vocab, c.trg_vocab);
  });
}
BertConfig load_bert_config(const fs::path& folder) {
  return load<BertConfig>(folder, ModelKind::kBert, [](const BertConfig& c) {
    return std::max({c.vocab_size, c.type_vocab_size, c.n_labels});
  });
}
ClassifierConfig load_classifier_config(const fs::path& folder) {
  return load<ClassifierConfig>(folder, ModelKind::kClassifier, [](const ClassifierConfig& c) {
    return std::max(c.vocab_size, c.n_labels);
  });
}
VisionConfig load_vision_config(const fs::path& folder) {
  return load<VisionConfig>(folder, ModelKind::kVision, [](const VisionConfig& c) {
    const bool sound = c.patch >= 1 && c.patch <= 1024 && c.height >= 1 && c.height <= kMostOfOne &&
                       c.width >= 1 && c.width <= kMostOfOne;
    check(sound && c.height % c.patch == 0 && c.width % c.patch == 0, "images of ", c.height, " x ",
          c.width, " in patches of ", c.patch, " are invalid");
    return std::max({c.n_labels, c.patches() + 1, c.patch * c.patch});
  });
}

void check_vocabulary(const fs::path& folder, Index vocab_size, const Tokenizer& tokenizer) {
  const Index needed = SpecialTokens(tokenizer).vocab_size;
  if (vocab_size != needed) {
    throw std::runtime_error(text(tokenizer_file(folder).string(), ": needs a vocabulary of ",
                                  needed, ", but ", kConfigFile, " has ", vocab_size,
                                  " (the two files do not belong together)"));
  }
}

std::vector<std::string> load_labels(const fs::path& folder) {
  return read_config(folder, [](const Json& json) {
    if (!json.contains(kLabels)) {
      return hugging_face_labels(json);
    }
    check(json[kLabels].is_array(), "\"", kLabels, "\" must be a list of short texts, got ",
          shown(json[kLabels]));
    std::vector<std::string> labels;
    for (const Json& label : json[kLabels]) {
      check(is_label(label), "\"", kLabels, "\" must be a list of short texts, got ", shown(label));
      labels.push_back(label);
    }
    return labels;
  });
}

}  // namespace gradus

#include "nn/files/adapter_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "nn/digest.h"
#include "nn/files/config_keys.h"
#include "nn/files/file_names.h"
#include "nn/files/model_tensors.h"
#include "nn/files/read_model_file.h"
#include "nn/files/replace_folder.h"
#include "nn/text/file.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char *kPrefix = "base_model.model.", *kSecondOfPair = ".lora_B.weight",
                     *kBase = "base_model_name_or_path", *kBaseDigest = "base_digest";
constexpr Index kMostOfRank = 65536;
/// How many bytes at the end of a model's file are digested: enough to notice that it was trained.
constexpr std::streamoff kDigested = 1 << 16;

/// Keys of PEFT's LoraConfig that say how an adapter was made. Which layers have pairs, and how
/// each layer stores its weight, follows from the tensors.
const std::set<std::string>& keys_of_making() {
  static const std::set<std::string> keys = {
      "auto_mapping",        "peft_version",   "revision",          "task_type",
      "inference_mode",      "target_modules", "exclude_modules",   "layers_to_transform",
      "layers_pattern",      "lora_dropout",   "fan_in_fan_out",    "modules_to_save",
      "megatron_core",       "runtime_config", "qalora_group_size", "peft_type",
      "ensure_weight_tying", "arrow_config",   "arrow_expert_num"};
  return keys;
}

/// Whether a value turns nothing on.
bool is_off(const Json& value) {
  return value.is_null() || value == false ||
         ((value.is_object() || value.is_array()) && value.empty());
}

/// The base that a config names: a path from the working directory, or from the adapter's folder.
fs::path found_base(const fs::path& folder, const std::string& name) {
  for (const fs::path& path : {fs::path(name), folder / name}) {
    const fs::path base = find_folder(path);
    if (!name.empty() && fs::is_directory(base)) {
      check(!holds_adapter(base), "\"", kBase, "\" must name the folder of a whole model, but ",
            base.string(), " holds an adapter too (merge that one first)");
      return base;
    }
  }
  fail("\"", kBase, "\" must name the folder of the model that the adapter belongs to, got ",
       quoted(name), ", which is not a folder (download the model, and write its path there)");
}

Adapter read_adapter(const Json& json, const fs::path& folder) {
  std::set<std::string> known = keys_of_making();
  for (const auto& [key, value] : json.items()) {
    if (is_off(value)) known.insert(key);
  }
  check(json.value("peft_type", Json()) == "LORA", "\"peft_type\" must be \"LORA\", got ",
        shown(json.value("peft_type", Json())));
  ConfigKeys keys(json, known);
  const auto only = [&](const char* key, const Json& value) {
    if (!is_off(json.value(key, Json()))) keys.only(key, value);
  };
  only("bias", "none");
  for (const char* key : {"use_dora", "use_qalora", "lora_bias"}) only(key, false);
  for (const char* key : {"rank_pattern", "alpha_pattern"}) only(key, Json::object());
  for (const char* key : {"layer_replication", "target_parameters", "trainable_token_indices"}) {
    only(key, Json());
  }
  // Other ways to begin change the base too.
  const Json begun = keys.has("init_lora_weights") ? keys["init_lora_weights"] : Json(true);
  check(begun.is_boolean() || begun == "gaussian", "\"init_lora_weights\" must be true, false or ",
        "\"gaussian\", got ", shown(begun), " (convert the adapter with PEFT)");
  Adapter adapter;
  check(keys.has("r"), "the key \"r\" is missing");
  keys.size("r", adapter.lora.rank, kMostOfRank);
  keys.require("lora_alpha", adapter.lora.alpha);
  check(adapter.lora.alpha > 0, "\"lora_alpha\" must be above 0, got ", adapter.lora.alpha);
  bool by_root = false;
  keys.read("use_rslora", by_root);
  if (by_root) {  // the factor is alpha / sqrt(r)
    adapter.lora.alpha *= std::sqrt(static_cast<Scalar>(adapter.lora.rank));
  }
  check(keys.has(kBase) && keys[kBase].is_string(), "\"", kBase, "\" must be a text, got ",
        shown(json.value(kBase, Json())));
  adapter.base = found_base(folder, keys[kBase].get<std::string>());
  keys.end("");
  return adapter;
}

/// The name of a layer in target_modules: the last part of its name. BERT has several layers
/// `dense`, so there it is the last two parts.
std::string target_of(const std::string& layer) {
  std::size_t dot = layer.rfind('.');
  if (layer.substr(dot + 1) == "dense") dot = layer.rfind('.', dot - 1);
  return layer.substr(dot + 1);
}

/// Whether a layer stores its weight as [in, out], as GPT-2's do.
bool is_in_first(const std::string& layer) { return layer.starts_with("transformer.h."); }

/// The layer whose tensor has this ending; empty for another tensor.
std::string layer_of(const std::string& name, const char* ending) {
  return name.ends_with(ending) ? name.substr(0, name.size() - std::string(ending).size()) : "";
}

/// A digest of the sizes and the last bytes of a model's files, which training changes.
std::string digest_of_weights(const fs::path& folder) {
  std::set<fs::path> files;
  for (const auto& entry : entries_of(folder)) {
    const fs::path& file = entry.path();
    if (file.extension() == ".safetensors" && file.stem() != "optimizer" &&
        entry.is_regular_file()) {
      files.insert(file);
    }
  }
  Digest digest;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    const std::streamoff size = in.tellg();
    std::string bytes(static_cast<std::size_t>(std::clamp<std::streamoff>(size, 0, kDigested)),
                      '\0');
    in.seekg(-static_cast<std::streamoff>(bytes.size()), std::ios::end);
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    digest.add(static_cast<std::uint64_t>(size));
    digest.add(bytes);
  }
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx",
                static_cast<unsigned long long>(digest.value()));
  return digits.data();
}

void check_pairs(const fs::path& file, const std::map<std::string, Tensor>& tensors, Index rank) {
  for (const auto& [name, tensor] : tensors) {
    const std::string first = layer_of(name, kFirstOfPair), second = layer_of(name, kSecondOfPair);
    if (first.empty() && second.empty()) {
      if (name.find(".lora_") != std::string::npos) {
        fail_for(file, "tensor ", quoted(name), " belongs to a kind of adapter that gradus does ",
                 "not have (only linear layers may have pairs)");
      }
      continue;
    }
    if (!tensors.contains(first.empty() ? second + kFirstOfPair : first + kSecondOfPair)) {
      fail_for(file, "has the tensor ", quoted(name), ", but not the other one of its pair");
    }
    if (tensor.rank() != 2 || tensor.size(first.empty() ? 1 : 0) != rank) {
      fail_for(file, "tensor ", quoted(name), " must be a matrix with ", rank,
               first.empty() ? " columns" : " rows", ", as \"r\" in ", kAdapterConfigFile, ", got ",
               tensor.shape());
    }
  }
}

}  // namespace

bool holds_adapter(const fs::path& folder) { return fs::exists(folder / kAdapterConfigFile); }

fs::path base_of(const fs::path& named) {
  const fs::path folder = find_folder(named);
  return holds_adapter(folder) ? load_adapter(folder).base : folder;
}

Adapter load_adapter(const fs::path& folder) {
  const std::string file = (folder / kAdapterConfigFile).string();
  return read_object(read_model_file(file, kLargestJson), file,
                     [&](const Json& json) { return read_adapter(json, folder); });
}

Adapter with_digest(Adapter adapter) {
  adapter.base = fs::absolute(adapter.base).lexically_normal();
  adapter.digest = digest_of_weights(adapter.base);
  return adapter;
}

void save_adapter(const fs::path& folder, const Adapter& adapter,
                  const std::vector<NamedTensor>& tensors, const std::string& task,
                  const std::vector<std::string>& trained_whole) {
  std::vector<NamedTensor> renamed = tensors;
  std::set<std::string> targets;
  bool in_first = false;
  for (NamedTensor& named : renamed) {
    const std::string layer = layer_of(named.name, kFirstOfPair);
    if (!layer.empty()) {
      targets.insert(target_of(layer));
      in_first = in_first || is_in_first(layer);
    }
    named.name = kPrefix + named.name;
  }
  const auto alpha = static_cast<double>(adapter.lora.alpha);
  const bool is_whole = alpha == std::floor(alpha) && alpha < 1e9;
  const Json json = {{"peft_type", "LORA"},
                     {"task_type", task},
                     {kBase, adapter.base.string()},
                     {"r", adapter.lora.rank},
                     {"lora_alpha", is_whole ? Json(static_cast<std::int64_t>(alpha))
                                             : Json(shortest(adapter.lora.alpha))},
                     {"target_modules", targets},
                     {"modules_to_save", trained_whole.empty() ? Json() : Json(trained_whole)},
                     {"fan_in_fan_out", in_first},
                     {"lora_dropout", 0.0},
                     {"bias", "none"},
                     {"init_lora_weights", true},
                     {"use_rslora", false},
                     {"use_dora", false},
                     {"inference_mode", true}};
  save_safetensors((folder / kAdapterFile).string(), renamed,
                   {{"format", "pt"}, {kBaseDigest, adapter.digest}});
  // A path need not be UTF-8.
  write_file((folder / kAdapterConfigFile).string(),
             json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::map<std::string, Tensor> load_adapter_tensors(const fs::path& folder, const Adapter& adapter) {
  const fs::path file = folder / kAdapterFile;
  if (!fs::exists(file) && fs::exists(folder / "adapter_model.bin")) {
    fail_for(folder / "adapter_model.bin", "cannot be read, as this format may run code (write ",
             kAdapterFile,
             " in Python with PEFT's save_pretrained(FOLDER, "
             "safe_serialization=True))");
  }
  Safetensors kept = load_safetensors(file.string());
  check_finite(file, kept.tensors);
  if (!kept.indices.empty()) {
    fail_for(file, "tensor ", quoted(kept.indices.begin()->first),
             " holds integers, not parameters");
  }
  const std::string digest = kept.metadata.contains(kBaseDigest) ? kept.metadata[kBaseDigest] : "";
  if (!digest.empty() && digest != digest_of_weights(adapter.base)) {
    fail_for(file, "belongs to other weights than ", adapter.base.string(),
             " has now (use a copy of the model from which the adapter was trained)");
  }
  std::map<std::string, Tensor> tensors;
  for (auto& [name, tensor] : kept.tensors) {
    if (!name.starts_with(kPrefix)) {
      fail_for(file, "tensor ", quoted(name), " must have a name that begins with ", kPrefix);
    }
    tensors.emplace(name.substr(std::string(kPrefix).size()), std::move(tensor));
  }
  check_pairs(file, tensors, adapter.lora.rank);
  return tensors;
}

MergedAdapter::MergedAdapter(const fs::path& folder) : folder_(folder) {
  if (holds_adapter(folder)) {
    adapter_ = load_adapter(folder);
    tensors_ = load_adapter_tensors(folder, adapter_);
  }
}

void MergedAdapter::fit(std::map<std::string, Shape>& shapes) const {
  const fs::path file = folder_ / kAdapterFile;
  for (const auto& [name, first] : tensors_) {  // of a pair [r, in]
    const std::string layer = layer_of(name, kFirstOfPair);
    if (layer.empty()) {
      if (!name.ends_with(kSecondOfPair)) shapes[name] = first.shape();
      continue;
    }
    const auto found = shapes.find(layer + ".weight");
    if (found == shapes.end()) {
      fail_for(file, "has a pair for ", quoted(layer), ", but ", adapter_.base.string(),
               " has no such layer");
    }
    const Tensor& second = tensors_.at(layer + kSecondOfPair);  // [out, r]
    const Shape product = is_in_first(layer) ? Shape{first.size(1), second.size(0)}
                                             : Shape{second.size(0), first.size(1)};
    if (found->second != product) {
      fail_for(file, "the pair for ", quoted(layer), " must give the weight's shape ",
               found->second, ", got ", product);
    }
  }
}

Tensor MergedAdapter::merged(const std::string& name, const std::function<Tensor()>& read) const {
  if (const auto own = tensors_.find(name); own != tensors_.end()) {
    return own->second;
  }
  const Tensor weight = read();
  const std::string layer = layer_of(name, ".weight");
  const auto pair = tensors_.find(layer + kFirstOfPair);
  if (pair == tensors_.end()) {
    return weight;
  }
  const NoGrad no_grad;
  const Tensor &first = pair->second, &second = tensors_.at(layer + kSecondOfPair);
  const Tensor product =
      is_in_first(layer) ? matmul(first, second, {.a = true, .b = true}) : matmul(second, first);
  return weight + adapter_.lora.scale() * product;
}

void merge_adapter(const fs::path& folder, std::map<std::string, Tensor>& weights) {
  const MergedAdapter adapter(folder);
  std::map<std::string, Shape> shapes;
  for (const auto& [name, weight] : weights) shapes.emplace(name, weight.shape());
  adapter.fit(shapes);
  for (const auto& entry : shapes) {
    const std::string& name = entry.first;
    weights[name] = adapter.merged(name, [&] { return weights.at(name); });
  }
}

}  // namespace gradus

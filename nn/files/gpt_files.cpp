#include "nn/files/gpt_files.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/shape.h"
#include "nn/files/checkpoint_json.h"
#include "nn/files/llama_config.h"
#include "nn/files/llama_tensors.h"
#include "nn/files/model_tensors.h"
#include "nn/files/read_model_file.h"
#include "nn/files/replace_folder.h"
#include "nn/files/text_rules_files.h"
#include "nn/files/tokenizer_files.h"
#include "nn/text/file.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char* kHead = "lm_head.weight";
/// The embedding of tokens, by the names of gradus and Hugging Face's Llama.
constexpr const char *kTable = "transformer.wte.weight", *kLlamaTable = "model.embed_tokens.weight";

/// Gives tensors the names that Gpt uses, and drops the extra tensors in GPT-2's own files.
std::map<std::string, Tensor> with_own_names(std::map<std::string, Tensor> found, bool tied) {
  const std::string prefix = "transformer.";
  const auto is_bare = [](const std::string& name) {
    return std::ranges::any_of(std::array{"wte.", "wpe.", "h.", "ln_f."},
                               [&](const char* part) { return name.starts_with(part); });
  };
  std::map<std::string, Tensor> result;
  for (auto& [name, tensor] : found) {
    if (name == kHead ? !tied : !is_mask(name)) {
      result.emplace(is_bare(name) ? prefix + name : name, std::move(tensor));
    }
  }
  return result;
}

/// Checks that a tied lm_head.weight equals the embedding, since Gpt has one tensor for both.
void check_tied(const fs::path& file, const std::map<std::string, Tensor>& found) {
  const auto head = found.find(kHead);
  if (head == found.end()) {
    return;
  }
  for (const char* name : {kTable, "wte.weight", kLlamaTable}) {
    const auto table = found.find(name);
    if (table != found.end() && !std::ranges::equal(head->second, table->second)) {
      fail_for(file, "lm_head.weight differs from ", name, ", to which it must be tied");
    }
  }
}

/// Checks, before a model of these sizes is allocated, that it is about as large as its file.
void check_size(const fs::path& folder, const GptConfig& config,
                const std::map<std::string, Tensor>& found) {
  constexpr Index kSmall = 1'000'000;  // below this, the message can name the wrong tensor
  Index held = 0;
  for (const auto& [name, tensor] : found) {
    held += tensor.size();
  }
  Index needed = 0;
  try {
    needed = parameter_count(config);
  } catch (const std::invalid_argument& error) {
    fail_for(folder / kConfigFile, error.what());
  }
  if (needed > std::max(2 * held, kSmall)) {
    fail_for(folder / kConfigFile, "describes a model of ", needed, " parameters, but ", kModelFile,
             " holds ", held, " (the two files do not belong together)");
  }
}

/// The parameters of a model without biases, with zeros as GPT-2's biases. Other programs expect
/// biases in a GPT-2's file, and zeros do not change their results.
std::vector<NamedTensor> with_zero_biases(const Gpt& model) {
  const std::string ending = ".weight";
  std::vector<NamedTensor> list;
  for (const NamedTensor& named : parameters(model)) {
    list.push_back(named);
    if (named.role == Role::kHidden && named.name.ends_with(ending)) {
      const std::string part = named.name.substr(0, named.name.size() - ending.size());
      list.push_back({part + ".bias", zeros({named.tensor.size(-1)})});
    }
  }
  return list;
}

/// Removes the zeros that are stored as biases of a model without biases.
void drop_biases(const fs::path& file, const Gpt& model, std::map<std::string, Tensor>& found) {
  for (const auto& [name, zeros, role] : with_zero_biases(model)) {
    if (!name.ends_with(".bias")) {
      continue;
    }
    const auto place = found.find(name);
    if (place == found.end() || place->second.shape() != zeros.shape()) {
      continue;  // earlier versions wrote none; check_tensors() reports wrong shapes
    }
    const Tensor& bias = place->second;
    const auto other = std::ranges::find_if(bias, [](Scalar x) { return x != 0; });
    if (other != bias.end()) {
      fail_for(file, name, " is not 0 at [", other - bias.begin(), "], but ", kConfigFile,
               " says \"bias\": false (the two files do not belong together)");
    }
    found.erase(place);
  }
}

/// Drops the rows that no token uses, so that they are never generated or counted.
void cut_vocabulary(Gpt& model, Index tokens) {
  const NoGrad no_grad;
  for (Tensor* table : {&model.wte.weight, &model.lm_head}) {
    if (table->defined()) {
      *table = slice(*table, 0, 0, tokens).set_requires_grad();
    }
  }
  model.config.vocab_size = tokens;
}

}  // namespace

bool may_be_padded(const Tokenizer& tokenizer, Index tokens, Index rows) {
  constexpr Index kMost = 1024;
  return is_hugging_face(tokenizer) && rows > tokens && rows - tokens <= kMost;
}

void save_gpt(const fs::path& folder, const Gpt& model) {
  const bool has_zeros = model.config.is_gpt2() && !model.config.bias;
  save_parameters(folder, llama_kind(model.config)
                              ? with_llama_names(model.config, parameters(model))
                          : has_zeros ? with_zero_biases(model)
                                      : parameters(model));
  write_file((folder / kConfigFile).string(), config_to_json(model.config));
}

void save_pairs(const fs::path& folder, const Gpt& model, const Adapter& adapter) {
  const NoGrad no_grad;
  std::vector<NamedTensor> pairs = trainable(parameters(model));
  if (llama_kind(model.config)) {
    pairs = with_llama_names(model.config, pairs);
  } else {
    for (NamedTensor& named : pairs) named.tensor = transpose(named.tensor);
  }
  save_adapter(folder, adapter, pairs, "CAUSAL_LM");
}

void load_pairs(const fs::path& folder, Gpt& model, const Adapter& adapter) {
  const NoGrad no_grad;
  const fs::path file = folder / kAdapterFile;
  const std::vector<NamedTensor> pairs = trainable(parameters(model));
  std::map<std::string, Tensor> found = load_adapter_tensors(folder, adapter);
  if (llama_kind(model.config)) {
    found = from_llama_names(file, model.config, pairs, std::move(found));
  } else {
    for (auto& [name, tensor] : found) {
      if (tensor.rank() == 2) tensor = transpose(tensor);
    }
    check_tensors(file, shapes_of(pairs), found);
  }
  for (const auto& [name, tensor, role] : pairs) {
    std::ranges::copy(found.at(name), tensor.mutable_data());
  }
}

GptConfig load_gpt_config(const fs::path& named) {
  const fs::path folder = base_of(named);
  const std::string file = (folder / kConfigFile).string();
  return config_from_json(read_model_file(file, kLargestJson), file);
}

Gpt load_gpt(const fs::path& named) {
  const fs::path given = find_folder(named), folder = base_of(given);
  const GptConfig config = load_gpt_config(folder);
  const fs::path file = find_model_file(folder);
  Safetensors kept = load_model_tensors(file);
  for (const auto& [name, integers] : kept.indices) {
    if (!is_mask(name)) {
      fail_for(file, "tensor ", name, " holds integers, not parameters");
    }
  }
  if (config.tied) {
    check_tied(file, kept.tensors);
  }
  std::map<std::string, Tensor> found = with_own_names(std::move(kept.tensors), config.tied);
  check_size(folder, config, found);
  check_weights(folder, config.n_positions * config.n_embd);  // tables and caches are this long too
  merge_adapter(given, found);
  Gpt model(config);
  // Earlier versions wrote models with a Llama's parts by Gpt's names.
  if (llama_kind(config) && !found.contains(kTable)) {
    found = from_llama_names(file, config, parameters(model), std::move(found));
  } else if (!config.bias && !config.qkv_bias && !config.output_bias) {
    drop_biases(file, model, found);
  }
  check_tensors(file, shapes_of(parameters(model)), found);
  visit_parameters(model, [&](const std::string& name, Tensor& parameter) {
    parameter = Tensor(found.at(name)).set_requires_grad();  // frees the initial values
  });
  return model;
}

Checkpoint load_checkpoint(const fs::path& named) {
  const fs::path folder = find_folder(named), base = base_of(folder);
  Checkpoint checkpoint{load_gpt(folder), load_tokenizer(base), std::nullopt};
  const Index tokens = checkpoint.tokenizer->vocab_size();
  const Index rows = checkpoint.model.config.vocab_size;
  if (tokens != rows) {
    // A run's embedding has exactly its tokenizer's size.
    if (fs::exists(base / kTrainerFile) || !may_be_padded(*checkpoint.tokenizer, tokens, rows)) {
      fail_for(tokenizer_file(base), "has ", tokens, " tokens, but ", kConfigFile,
               " says vocab_size ", rows, " (the two files do not belong together)");
    }
    cut_vocabulary(checkpoint.model, tokens);
  }
  if (llama_kind(checkpoint.model.config)) {
    checkpoint.tokenizer->set_rules(load_text_rules(base, *checkpoint.tokenizer));
  }
  checkpoint.state = load_state(folder);
  return checkpoint;
}

}  // namespace gradus

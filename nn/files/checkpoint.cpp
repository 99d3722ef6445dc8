#include "nn/files/checkpoint.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/shape.h"
#include "nn/files/checkpoint_json.h"
#include "nn/files/model_tensors.h"
#include "nn/files/read_model_file.h"
#include "nn/files/replace_folder.h"
#include "nn/files/safetensors.h"
#include "nn/files/tokenizer_files.h"
#include "nn/text/file.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char* kOptimiserFile = "optimizer.safetensors";
constexpr const char* kTrainerFile = "trainer.json";
constexpr const char* kSteps = "steps";  // in the optimiser file's metadata

NamedShapes shapes_of(const std::vector<NamedTensor>& tensors) {
  NamedShapes shapes;
  for (const auto& [name, tensor, role] : tensors) {
    shapes.emplace_back(name, tensor.shape());
  }
  return shapes;
}

constexpr const char* kHead = "lm_head.weight";

/// Renames tensors to the names that Gpt uses, and drops the extra ones in GPT-2's own files.
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

/// With tied weights, lm_head.weight must equal the embedding: Gpt has one tensor for both.
void check_tied(const fs::path& file, const std::map<std::string, Tensor>& found) {
  const auto head = found.find(kHead);
  if (head == found.end()) {
    return;
  }
  for (const char* name : {"transformer.wte.weight", "wte.weight"}) {
    const auto table = found.find(name);
    if (table != found.end() && !std::ranges::equal(head->second, table->second)) {
      fail_for(file, "lm_head.weight differs from ", name, ", to which it must be tied");
    }
  }
}

/// Checks that a model of these sizes is about as large as its file, before allocating it.
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

/// The parameters of a model without biases, with zeros for those that a GPT-2 has: other programs
/// expect them in a GPT-2's file, and compute the same with them.
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

/// Takes away the zeros that stand for the biases of a model without any.
void drop_biases(const fs::path& file, const Gpt& model, std::map<std::string, Tensor>& found) {
  for (const auto& [name, zeros, role] : with_zero_biases(model)) {
    if (!name.ends_with(".bias")) {
      continue;
    }
    const auto place = found.find(name);
    if (place == found.end() || place->second.shape() != zeros.shape()) {
      continue;  // earlier versions wrote none; another shape is reported with all others
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

/// Drops the rows that no token uses, so that none is ever generated or counted.
void cut_vocabulary(Gpt& model, Index tokens) {
  const NoGrad no_grad;
  for (Tensor* table : {&model.wte.weight, &model.lm_head}) {
    if (table->defined()) {
      *table = slice(*table, 0, 0, tokens).set_requires_grad();
    }
  }
  model.config.vocab_size = tokens;
}

std::int64_t steps_of(const fs::path& file, const std::map<std::string, std::string>& metadata) {
  const auto found = metadata.find(kSteps);
  const std::string digits = found == metadata.end() ? "" : found->second;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (digits.empty() || digits.size() > 18 || !std::ranges::all_of(digits, is_digit)) {
    fail_for(file, "does not say how many steps were done");
  }
  return std::stoll(digits);
}

}  // namespace

bool may_be_padded(const Tokenizer& tokenizer, Index tokens, Index rows) {
  constexpr Index kMost = 1024;
  return is_hugging_face(tokenizer) && rows > tokens && rows - tokens <= kMost;
}

void save_checkpoint(const fs::path& folder,
                     const std::function<void(const fs::path&)>& write_model,
                     const TrainState& state, const Optimiser& optimiser,
                     const std::vector<NamedTensor>& beside_it) {
  std::vector<NamedTensor> kept = optimiser.state();
  kept.insert(kept.end(), beside_it.begin(), beside_it.end());
  replace_folder(folder, [&](const fs::path& temporary) {
    write_model(temporary);
    save_safetensors((temporary / kOptimiserFile).string(), kept,
                     {{kSteps, std::to_string(optimiser.steps())}});
    write_file((temporary / kTrainerFile).string(), state_to_json(state));
  });
}

void save_parameters(const fs::path& folder, const std::vector<NamedTensor>& parameters) {
  save_safetensors((folder / kModelFile).string(), parameters, {{"format", "pt"}});
}

void load_parameters(const fs::path& folder, const std::vector<NamedTensor>& parameters) {
  load_into(parameters, find_model_file(folder));
}

void save_model(const fs::path& folder, const Gpt& model) {
  const bool has_zeros = model.config.is_gpt2() && !model.config.bias;
  save_parameters(folder, has_zeros ? with_zero_biases(model) : parameters(model));
  write_file((folder / kConfigFile).string(), config_to_json(model.config));
}

std::optional<TrainState> load_state(const fs::path& folder) {
  const std::string file = (folder / kTrainerFile).string();
  if (!fs::exists(file)) {
    return std::nullopt;
  }
  return state_from_json(read_model_file(file, kLargestJson), file);
}

GptConfig load_config(const fs::path& folder) {
  const std::string file = (folder / kConfigFile).string();
  return config_from_json(read_model_file(file, kLargestJson), file);
}

Gpt load_model(const fs::path& named) {
  const fs::path folder = find_folder(named);
  const GptConfig config = load_config(folder);
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
  Gpt model(config);
  if (!config.bias) {
    drop_biases(file, model, found);
  }
  check_tensors(file, shapes_of(parameters(model)), found);
  visit_parameters(model, [&](const std::string& name, Tensor& parameter) {
    parameter = Tensor(found.at(name)).set_requires_grad();  // frees its own elements
  });
  return model;
}

Checkpoint load_checkpoint(const fs::path& named) {
  const fs::path folder = find_folder(named);
  Checkpoint checkpoint{load_model(folder), load_tokenizer(folder), std::nullopt};
  const Index tokens = checkpoint.tokenizer->vocab_size();
  const Index rows = checkpoint.model.config.vocab_size;
  if (tokens != rows) {
    // The table of a run has exactly its tokenizer's size.
    if (fs::exists(folder / kTrainerFile) || !may_be_padded(*checkpoint.tokenizer, tokens, rows)) {
      fail_for(tokenizer_file(folder), "has ", tokens, " tokens, but ", kConfigFile,
               " says vocab_size ", rows, " (the two files do not belong together)");
    }
    cut_vocabulary(checkpoint.model, tokens);
  }
  checkpoint.state = load_state(folder);
  return checkpoint;
}

void load_optimiser(const fs::path& named, Optimiser& optimiser,
                    const std::vector<NamedTensor>& beside_it) {
  const fs::path file = find_folder(named) / kOptimiserFile;
  const Safetensors kept = load_safetensors(file.string());
  std::vector<NamedTensor> state = optimiser.state();
  state.insert(state.end(), beside_it.begin(), beside_it.end());
  check_tensors(file, shapes_of(state), kept.tensors);
  check_finite(file, kept.tensors);
  optimiser.set_steps(steps_of(file, kept.metadata));
  for (const auto& [name, tensor, role] : state) {
    std::ranges::copy(kept.tensors.at(name), tensor.mutable_data());
  }
}

fs::path find_checkpoint(const fs::path& out_dir, const std::string& which) {
  const bool named = which == "best" || which == "last";
  const fs::path folder = find_folder(named ? out_dir / which : fs::path(which));
  if (fs::is_directory(folder)) {
    return folder;
  }
  if (!named) {
    refuse_other_formats(folder.parent_path());  // their file itself may be named
    fail_for(folder, fs::exists(folder) ? "is no checkpoint folder" : "does not exist",
             " (give best, last, or the path of a checkpoint folder)");
  }
  const std::string other = which == "best" ? "last" : "best";
  if (fs::is_directory(find_folder(out_dir / other))) {
    fail_for(folder, "does not exist (there is ", other, ": add --checkpoint=", other, ")");
  }
  if (fs::exists(out_dir / kConfigFile)) {
    return out_dir;
  }
  if (!fs::exists(out_dir)) {
    fail_for(out_dir,
             "does not exist (give the folder of a run, or a model's own, with config.json)");
  }
  refuse_other_formats(out_dir);
  fail_for(out_dir, "holds no model (a run saves its first at its first evaluation, or when it is ",
           "stopped; a model's own folder has a config.json)");
}

}  // namespace gradus

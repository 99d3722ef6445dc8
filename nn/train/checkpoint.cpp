#include "nn/train/checkpoint.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "autograd/check.h"
#include "autograd/safetensors.h"
#include "nn/text/file.h"
#include "nn/train/checkpoint_json.h"
#include "nn/train/replace_folder.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOptimiserFile = "optimizer.safetensors";
constexpr const char* kTrainerFile = "trainer.json";
constexpr const char* kSteps = "steps";  // in the optimiser file's metadata

/// Reports what is wrong with a file of a checkpoint.
template <class... Parts>
[[noreturn]] void fail_for(const fs::path& file, const Parts&... parts) {
  throw std::runtime_error(text(file.string(), ": ", parts...));
}

NamedTensors listed(const std::vector<NamedTensor>& tensors) {
  NamedTensors list;
  for (const auto& [name, tensor, role] : tensors) {
    list.emplace_back(name, tensor);
  }
  return list;
}

/// Makes sure that a file holds these tensors in their shapes, and no others.
void check_tensors(const fs::path& file, const std::vector<NamedTensor>& wanted,
                   const std::map<std::string, Tensor>& found) {
  for (const auto& [name, tensor, role] : wanted) {
    const auto place = found.find(name);
    if (place == found.end()) {
      fail_for(file, "lacks the tensor ", name);
    }
    if (place->second.shape() != tensor.shape()) {
      fail_for(file, "tensor ", name, " must have the shape ", tensor.shape(), ", got ",
               place->second.shape());
    }
  }
  for (const auto& entry : found) {
    const auto same_name = [&](const NamedTensor& other) { return other.name == entry.first; };
    if (std::ranges::none_of(wanted, same_name)) {
      fail_for(file, "has a tensor that does not belong there: ", entry.first);
    }
  }
}

bool is_mask(const std::string& name) {
  return name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias");
}

constexpr const char* kHead = "lm_head.weight";

/// Gives the tensors the names that Gpt uses, and drops what GPT-2's own files hold beyond them.
std::map<std::string, Tensor> with_own_names(std::map<std::string, Tensor> found, bool tied) {
  const std::string prefix = "transformer.";
  std::map<std::string, Tensor> result;
  for (auto& [name, tensor] : found) {
    if (name == kHead ? !tied : !is_mask(name)) {
      const bool is_own = name == kHead || name.starts_with(prefix);
      result.emplace(is_own ? name : prefix + name, std::move(tensor));
    }
  }
  return result;
}

/// With tied weights, a lm_head.weight must repeat the embedding: Gpt has one table for both.
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

/// Makes sure that a model of these sizes is about as large as its file, before it takes memory.
void check_size(const fs::path& folder, const GptConfig& config,
                const std::map<std::string, Tensor>& found) {
  constexpr Index kSmall = 1'000'000;  // below this, the message can name the tensor that is wrong
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

void save_checkpoint(const fs::path& folder,
                     const std::function<void(const fs::path&)>& write_model,
                     const TrainState& state, const Optimiser& optimiser,
                     const std::vector<NamedTensor>& beside_it) {
  std::vector<NamedTensor> kept = optimiser.state();
  kept.insert(kept.end(), beside_it.begin(), beside_it.end());
  replace_folder(folder, [&](const fs::path& temporary) {
    write_model(temporary);
    save_safetensors((temporary / kOptimiserFile).string(), listed(kept),
                     {{kSteps, std::to_string(optimiser.steps())}});
    write_file((temporary / kTrainerFile).string(), state_to_json(state));
  });
}

void save_parameters(const fs::path& folder, const std::vector<NamedTensor>& parameters) {
  save_safetensors((folder / kModelFile).string(), listed(parameters), {{"format", "pt"}});
}

void load_parameters(const fs::path& folder, const std::vector<NamedTensor>& parameters) {
  const fs::path file = folder / kModelFile;
  const Safetensors kept = load_safetensors(file.string());
  check_tensors(file, parameters, kept.tensors);
  for (const auto& [name, tensor, role] : parameters) {
    std::ranges::copy(kept.tensors.at(name), tensor.begin());
  }
}

void save_model(const fs::path& folder, Gpt& model) {
  save_parameters(folder, parameters(model));
  write_file((folder / kConfigFile).string(), config_to_json(model.config));
}

std::optional<TrainState> load_state(const fs::path& folder) {
  const std::string file = (folder / kTrainerFile).string();
  if (!fs::exists(file)) {
    return std::nullopt;
  }
  return state_from_json(read_file(file, kLargestJson), file);
}

GptConfig load_config(const fs::path& folder) {
  const std::string file = (folder / kConfigFile).string();
  return config_from_json(read_file(file, kLargestJson), file);
}

Gpt load_model(const fs::path& named) {
  const fs::path folder = find_folder(named);
  const GptConfig config = load_config(folder);
  const fs::path file = folder / kModelFile;
  Safetensors kept = load_safetensors(file.string());
  for (const auto& [name, integers] : kept.indices) {
    if (!is_mask(name)) {
      fail_for(file, "tensor ", name, " holds integers, not parameters");
    }
  }
  if (config.tied) {
    check_tied(file, kept.tensors);
  }
  const std::map<std::string, Tensor> found = with_own_names(std::move(kept.tensors), config.tied);
  check_size(folder, config, found);
  check_weights(folder, config.n_positions * config.n_embd);  // tables and caches are as long
  Gpt model(config);
  check_tensors(file, parameters(model), found);
  visit_parameters(model, [&](const std::string& name, Tensor& parameter) {
    parameter = Tensor(found.at(name)).set_requires_grad();  // its own elements are let go
  });
  return model;
}

Checkpoint load_checkpoint(const fs::path& named) {
  const fs::path folder = find_folder(named);
  Checkpoint checkpoint{load_model(folder), load_tokenizer(folder), std::nullopt};
  const int vocabulary = checkpoint.tokenizer->vocab_size();
  if (vocabulary != checkpoint.model.config.vocab_size) {
    fail_for(folder / kTokenizerFile, "has ", vocabulary, " tokens, but ", kConfigFile,
             " says vocab_size ", checkpoint.model.config.vocab_size,
             " (the two files do not belong together)");
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
  check_tensors(file, state, kept.tensors);
  optimiser.set_steps(steps_of(file, kept.metadata));
  for (const auto& [name, tensor, role] : state) {
    std::ranges::copy(kept.tensors.at(name), tensor.data());
  }
}

fs::path find_checkpoint(const fs::path& out_dir, const std::string& which) {
  const bool named = which == "best" || which == "last";
  const fs::path folder = find_folder(named ? out_dir / which : fs::path(which));
  if (fs::is_directory(folder)) {
    return folder;
  }
  if (!named) {
    fail_for(folder, "is no checkpoint folder (give best, last, or the path of one)");
  }
  const std::string other = which == "best" ? "last" : "best";
  if (fs::is_directory(find_folder(out_dir / other))) {
    fail_for(folder, "does not exist (there is ", other, ": add --checkpoint=", other, ")");
  }
  fail_for(folder, "does not exist (give the --out_dir of a run of gradus train)");
}

}  // namespace gradus

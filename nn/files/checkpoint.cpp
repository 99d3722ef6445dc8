#include "nn/files/checkpoint.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "autograd/check.h"
#include "nn/files/adapter_files.h"
#include "nn/files/checkpoint_json.h"
#include "nn/files/model_tensors.h"
#include "nn/files/read_model_file.h"
#include "nn/files/replace_folder.h"
#include "nn/files/safetensors.h"
#include "nn/text/file.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char* kOptimiserFile = "optimizer.safetensors";
constexpr const char* kSteps = "steps";  // in the optimiser file's metadata

std::int64_t steps_of(const fs::path& file, const std::map<std::string, std::string>& metadata) {
  const auto found = metadata.find(kSteps);
  const std::string digits = found == metadata.end() ? "" : found->second;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (digits.empty() || digits.size() > 18 || !std::ranges::all_of(digits, is_digit)) {
    fail_for(file, "lacks the number of steps");
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

std::optional<TrainState> load_state(const fs::path& folder) {
  const std::string file = (folder / kTrainerFile).string();
  if (!fs::exists(file)) {
    return std::nullopt;
  }
  return state_from_json(read_model_file(file, kLargestJson), file);
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
    refuse_other_formats(folder.parent_path());  // the name may be a file in another format
    fail_for(folder, fs::exists(folder) ? "is not a checkpoint folder" : "does not exist",
             " (use best, last, or the path of a checkpoint folder)");
  }
  const std::string other = which == "best" ? "last" : "best";
  if (fs::is_directory(find_folder(out_dir / other))) {
    fail_for(folder, "does not exist (there is ", other, ": add --checkpoint=", other, ")");
  }
  if (fs::exists(out_dir / kConfigFile) || holds_adapter(out_dir)) {
    return out_dir;
  }
  if (!fs::exists(out_dir)) {
    fail_for(out_dir, "does not exist (use the folder of a run, or of a model with config.json)");
  }
  refuse_other_formats(out_dir);
  fail_for(out_dir,
           "contains no model (a run saves its first model at the first evaluation, or when it ",
           "is stopped; the folder of another model has a config.json)");
}

}  // namespace gradus

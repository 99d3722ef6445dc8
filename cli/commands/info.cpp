/// @file
/// `gradus info`: describes a checkpoint.

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "autograd/check.h"
#include "cli/program/display.h"
#include "cli/program/flags.h"
#include "cli/run/checkpoints.h"
#include "cli/run/record.h"
#include "cli/tasks/kinds.h"
#include "nn/files/adapter_files.h"
#include "nn/files/checkpoint.h"
#include "nn/files/gpt_files.h"
#include "nn/files/model_configs.h"
#include "nn/files/model_tensors.h"
#include "nn/files/read_model_file.h"
#include "nn/names.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Adds the entries that all kinds of models have: training, data, files and tensors.
void describe_rest(Json& json, const fs::path& folder, const std::optional<TrainState>& state,
                   const std::vector<NamedTensor>& tensors) {
  if (state) {
    const TrainState& s = *state;
    const TrainOptions& o = s.options;
    json["training"] = {{"step", s.step},
                        {"max_iters", o.max_iters},
                        {"best_val_loss", s.best_val_loss ? Json(*s.best_val_loss) : Json()},
                        {"best_step", s.best_step},
                        {"last_loss", s.last_loss},
                        {"batch_size", o.batch_size},
                        {"learning_rate", o.schedule.rate},
                        {"seed", o.seed}};
  }
  if (holds_adapter(folder)) {
    const Adapter adapter = load_adapter(folder);
    json["adapter"] = {{"base", adapter.base.string()},
                       {"rank", adapter.lora.rank},
                       {"alpha", adapter.lora.alpha}};
  }
  if (const auto record = load_record(out_dir_of(folder))) {
    json["trained_on"] = !record->data().empty() ? Json(record->data())
                         : record->is_bundled()  ? Json("the bundled " + record->texts[0])
                                                 : Json(record->texts);
  }
  json["files"] = Json::object();
  for (const auto& entry : entries_of(folder)) {
    if (entry.is_regular_file()) {
      json["files"][entry.path().filename().string()] = entry.file_size();
    }
  }
  for (const auto& [name, tensor, role] : tensors) {
    Json shape = Json::array();
    for (int axis = 0; axis < tensor.rank(); ++axis) {
      shape.push_back(tensor.size(axis));
    }
    json["parameters"][name] = shape;
  }
}

/// All facts of a GPT's checkpoint. The text leaves out `parameters` and ends with summary()
/// instead.
Json describe(const fs::path& folder, Checkpoint& checkpoint) {
  const GptConfig& c = checkpoint.model.config;
  Json json;
  json["checkpoint"] = folder.string();
  json["parameter_count"] = count(parameters(checkpoint.model));
  json["model"] = {{"n_layer", c.n_layer},
                   {"n_head", c.n_head},
                   {"n_kv_head", c.kv_heads()},
                   {"head_width", c.width()},
                   {"n_embd", c.n_embd},
                   {"block_size", c.n_positions},
                   {"vocab_size", c.vocab_size},
                   {"bias", c.bias},
                   {"qkv_bias", c.qkv_bias.value_or(c.bias)},
                   {"n_inner", c.inner()},
                   {"activation", name_of(c.activation)},
                   {"position", name_of(c.position)},
                   {"norm", name_of(c.norm)},
                   {"qk_norm", c.qk_norm},
                   {"window", c.window},
                   {"token_shift", c.token_shift},
                   {"tied", c.tied},
                   {"dropout", std::stod(text(c.dropout))}};
  if (c.position == Position::kRotary) {
    json["model"]["rotary"] = {{"base", c.rotary.base},
                               {"scaling", name_of(c.rotary.scaling)},
                               {"factor", c.rotary.factor}};
  }
  json["tokenizer"] = checkpoint.tokenizer->name();
  describe_rest(json, folder, checkpoint.state, parameters(checkpoint.model));
  return json;
}

/// The same for any other model: its sizes and parts come from Settings, its tensors from the file.
Json describe_task(const fs::path& folder, const std::vector<NamedTensor>& tensors) {
  const Settings settings = settings_of(folder);
  const LayerOptions layer = layer_options(settings);
  Json json;
  json["checkpoint"] = folder.string();
  json["parameter_count"] = count(tensors);
  json["model"] = {{"kind", name_of(settings.kind)},
                   {"n_layer", settings.model.n_layer},
                   {"n_head", layer.num_heads},
                   {"n_embd", layer.d_model},
                   {"n_inner", layer.inner()},
                   {"block_size", layer.max_length},
                   {"activation", name_of(layer.activation)},
                   {"position", name_of(layer.position)},
                   {"norm", name_of(layer.norm)},
                   {"norm_place", name_of(layer.norm_place)},
                   {"dropout", std::stod(text(layer.dropout))}};
  if (const std::vector<std::string> labels = load_labels(folder); !labels.empty()) {
    json["labels"] = labels;
  }
  if (task_kind(settings.kind).has_tokens) {
    json["tokenizer"] = settings.tokenizer;
    json["model"]["vocab_size"] = settings.vocab_size;
  }
  describe_rest(json, folder, load_state(folder), tensors);
  return json;
}

std::string row(const std::string& name, const std::string& value) {
  return name + std::string(name.size() < 12 ? 12 - name.size() : 1, ' ') + value + "\n";
}

/// The scaling of rotary positions, if there is one.
std::string scaling_of(const GptConfig& c) {
  const bool is_scaled =
      c.position == Position::kRotary && c.rotary.scaling != RotaryScaling::kNone;
  return is_scaled ? text(" (", name_of(c.rotary.scaling), " scaling by ", c.rotary.factor, ")")
                   : "";
}

/// The parts of the attention that GPT-2 does not have.
std::string attention_of(const GptConfig& c) {
  std::string parts;
  if (c.kv_heads() != c.n_head || c.width() * c.n_head != c.n_embd) {
    parts += text(", ", counted(c.kv_heads(), "kv head"), " of ", c.width());
  }
  if (c.qk_norm) parts += ", norm of q and k";
  if (c.window > 0) parts += text(", window ", c.window);
  return parts;
}

std::string as_text(const Json& json, Checkpoint& checkpoint) {
  const GptConfig& c = checkpoint.model.config;
  std::string out = row("checkpoint", json.at("checkpoint"));
  out += row("model", text(with_unit(json.at("parameter_count").get<double>()), " parameters: ",
                           counted(c.n_layer, "layer"), ", ", counted(c.n_head, "head"), ", ",
                           c.n_embd, " channels, blocks of ", c.n_positions,
                           c.bias                       ? ", biases"
                           : c.qkv_bias.value_or(false) ? ", biases of q, k and v"
                                                        : ", no biases",
                           ", dropout ", c.dropout));
  out += row("parts", text(name_of(c.activation), " of ", c.inner(), ", ", name_of(c.position),
                           " positions", scaling_of(c), ", ", name_of(c.norm), " norm",
                           attention_of(c), c.token_shift ? ", token shift" : "",
                           c.tied ? ", tied output" : ", untied output"));
  out += row("tokenizer",
             text(json.at("tokenizer").get<std::string>(), ", ", c.vocab_size, " tokens"));
  if (json.contains("adapter")) {
    const Json& adapter = json.at("adapter");
    out += row("adapter",
               text("rank ", adapter.at("rank").dump(), ", alpha ", adapter.at("alpha").dump(),
                    ", merged with ", adapter.at("base").get<std::string>()));
  }
  if (json.contains("trained_on")) {
    const Json& texts = json.at("trained_on");
    std::string names = texts.is_string() ? texts.get<std::string>() : "";
    for (const Json& name : texts.is_array() ? texts : Json::array()) {
      names += (names.empty() ? "" : ", ") + name.get<std::string>();
    }
    out += row("trained on", names);
  }
  if (checkpoint.state) {
    const TrainState& s = *checkpoint.state;
    out += row("training",
               text("step ", s.step, " of ", s.options.max_iters, ", best val loss ",
                    s.best_val_loss ? fixed(*s.best_val_loss, 4) : "not measured",
                    s.options.eval_iters > 0 ? " (estimated)" : "", " at step ", s.best_step));
  } else {
    out += row("training", "no training state: can be sampled and evaluated, not resumed");
  }
  for (const auto& [name, size] : json.at("files").items()) {
    out += row("file", text(name, ", ", in_bytes(size.get<double>())));
  }
  return out + "\n" + summary(parameters(checkpoint.model));
}

}  // namespace

int info_command(const Arguments& arguments) {
  std::string out_dir, which = "best";
  bool json = false;
  Flags flags("info", "Describes a checkpoint: model, tokenizer, training and files.");
  add_source_flags(flags, out_dir, which);
  add_json_flag(flags, json);
  flags.footer(
      "Examples:\n  gradus info\n  gradus info --out_dir=out --checkpoint=last\n"
      "  gradus info --checkpoint=somewhere/gpt2 --json\n");
  if (!flags.parse(arguments)) {
    return 0;
  }
  const fs::path folder = chosen_checkpoint(out_dir, which);
  if (kind_of_checkpoint(folder) != ModelKind::kGpt) {
    std::vector<NamedTensor> tensors;
    for (const auto& [name, tensor] : ModelTensors(find_model_file(base_of(folder))).read_all()) {
      tensors.push_back({name, tensor});
    }
    Json described = describe_task(folder, tensors);
    if (!json) {
      described.erase("parameters");
    }
    print(described.dump(2, ' ', false, Json::error_handler_t::replace) + "\n" +
          (json ? "" : "\n" + summary(tensors)));
    return 0;
  }
  Checkpoint checkpoint = load_checkpoint(folder);
  const Json described = describe(folder, checkpoint);
  print(json ? described.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"
             : as_text(described, checkpoint));
  return 0;
}

}  // namespace gradus

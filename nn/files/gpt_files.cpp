#include "nn/files/gpt_files.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/allocator.h"
#include "autograd/ops/shape.h"
#include "nn/files/checkpoint_json.h"
#include "nn/files/llama_config.h"
#include "nn/files/llama_tensors.h"
#include "nn/files/model_tensors.h"
#include "nn/files/read_model_file.h"
#include "nn/files/replace_folder.h"
#include "nn/files/text_rules_files.h"
#include "nn/files/tokenizer_files.h"
#include "nn/names.h"
#include "nn/text/file.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char* kHead = "lm_head.weight";
/// The names of the token embedding in gradus's files and in Hugging Face's files of a Llama.
constexpr const char *kTable = "transformer.wte.weight", *kLlamaTable = "model.embed_tokens.weight";

/// A parameter that a file must hold: Gpt's name for it, and the shape of its tensor.
struct Parameter {
  std::string name;
  Shape shape;
  Role role;
};

Shape shape_in_float(const Tensor& x, Role) { return x.shape(); }
/// The shape of the tensor in whose place there is a NarrowMatrix.
Shape shape_in_float(const NarrowMatrix& w, Role role) {
  return role == Role::kOuter ? w.shape() : Shape{w.columns(), w.rows()};
}

/// The parameters of a model, whatever the type of its weights.
std::vector<Parameter> all_parameters(const Gpt& model) {
  std::vector<Parameter> list;
  visit_parameters(model, [&](const std::string& name, const auto& weight, Role role) {
    list.push_back({name, shape_in_float(weight, role), role});
  });
  return list;
}

/// The tensors of a file that may be parameters of a Gpt.
struct Found {
  std::map<std::string, Shape> shapes;      // by Gpt's or Llama's names
  std::map<std::string, std::string> held;  // their names in the file

  bool contains(const std::string& name) const { return shapes.contains(name); }
};

/// Gives tensors the names that Gpt uses, and leaves out the extra tensors in GPT-2's own files.
Found with_own_names(const ModelTensors& held, bool tied) {
  const std::string prefix = "transformer.";
  const auto is_bare = [](const std::string& name) {
    return std::ranges::any_of(std::array{"wte.", "wpe.", "h.", "ln_f."},
                               [&](const char* part) { return name.starts_with(part); });
  };
  Found found;
  for (const auto& [name, shape] : held.shapes()) {
    if (name == kHead ? !tied : !is_mask(name)) {
      const std::string own = is_bare(name) ? prefix + name : name;
      found.shapes.emplace(own, shape);
      found.held.emplace(own, name);
    }
  }
  return found;
}

/// Checks that a tied lm_head.weight equals the embedding, since Gpt has one tensor for both.
void check_tied(const fs::path& file, const ModelTensors& held) {
  if (!held.shapes().contains(kHead)) {
    return;
  }
  for (const char* name : {kTable, "wte.weight", kLlamaTable}) {
    if (held.shapes().contains(name) && !std::ranges::equal(held.read(kHead), held.read(name))) {
      fail_for(file, "lm_head.weight differs from ", name, ", to which it must be tied");
    }
  }
}

/// Checks, before a model of these sizes is allocated, that it is about as large as its file.
void check_size(const fs::path& folder, const GptConfig& config, const Found& found) {
  constexpr Index kSmall = 1'000'000;  // below this, the message can name the wrong tensor
  Index held = 0;
  for (const auto& [name, shape] : found.shapes) {
    held += shape.size();
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

/// The biases that GPT-2 has and a model without biases has not: their names and shapes.
NamedShapes biases_of(const std::vector<Parameter>& parameters) {
  const std::string ending = ".weight";
  NamedShapes biases;
  for (const auto& [name, shape, role] : parameters) {
    if (role == Role::kHidden && name.ends_with(ending)) {
      biases.emplace_back(name.substr(0, name.size() - ending.size()) + ".bias", Shape{shape[-1]});
    }
  }
  return biases;
}

/// The parameters of a model without biases, with zeros as GPT-2's biases. Other programs expect
/// biases in a GPT-2's file, and zeros do not change their results.
std::vector<NamedTensor> with_zero_biases(const Gpt& model) {
  std::vector<NamedTensor> list;
  for (const NamedTensor& named : parameters(model)) {
    list.push_back(named);
    for (const auto& [name, shape] : biases_of({{named.name, named.tensor.shape(), named.role}})) {
      list.push_back({name, zeros(shape)});
    }
  }
  return list;
}

/// Leaves out the zeros that are stored as biases of a model without biases.
void drop_biases(const fs::path& file, const ModelTensors& held,
                 const std::vector<Parameter>& parameters, Found& found) {
  for (const auto& [name, shape] : biases_of(parameters)) {
    const auto place = found.shapes.find(name);
    if (place == found.shapes.end() || place->second != shape) {
      continue;  // earlier versions wrote none; check_tensors() reports wrong shapes
    }
    const Tensor bias = held.read(found.held.at(name));
    const auto other = std::ranges::find_if(bias, [](Scalar x) { return x != 0; });
    if (other != bias.end()) {
      fail_for(file, name, " is not 0 at [", other - bias.begin(), "], but ", kConfigFile,
               " has \"bias\": false (the two files do not belong together)");
    }
    found.shapes.erase(place);
  }
}

/// Maps each parameter's name to the tensors of a file that hold it.
using Parts = std::map<std::string, NamedShapes>;

/// Reads all parameters of a model, one tensor of the file after the other, so that memory holds
/// the model and one tensor.
void read_parameters(const ModelTensors& held, const Found& found, const MergedAdapter& adapter,
                     const Parts& parts, bool is_llama, Gpt& model) {
  const NoGrad no_grad;
  const auto read = [&](const std::string& name, bool turned) {
    const Tensor x = adapter.merged(name, [&] { return held.read(found.held.at(name)); });
    return turned ? transpose(x) : x;
  };
  visit_parameters(model, [&](const std::string& name, auto& parameter, Role role) {
    if constexpr (std::is_same_v<decltype(parameter), NarrowMatrix&>) {
      const bool turned = !is_llama && role == Role::kHidden;
      Index first = 0;
      for (const auto& part : parts.at(name)) {
        const Tensor rows = read(part.first, turned);
        parameter.set_rows(first, rows);
        first += rows.size(0);
      }
    } else {
      const bool turned = is_llama && parameter.rank() == 2 && role == Role::kHidden;
      const bool trained = parameter.requires_grad();
      std::vector<Tensor> ranges;
      for (const auto& part : parts.at(name)) ranges.push_back(read(part.first, turned));
      parameter = ranges.size() > 1 ? concat(ranges, -1) : ranges[0];  // frees the initial values
      parameter.set_requires_grad(trained);
    }
  });
  release_cached_memory();  // of the tensors that were read
}

/// Drops the rows that no token uses, so that they are never generated or counted.
void cut_vocabulary(Gpt& model, Index tokens) {
  const NoGrad no_grad;
  for (Tensor* table : {&model.wte.weight, &model.lm_head}) {
    if (table->defined()) {
      *table = slice(*table, 0, 0, tokens).set_requires_grad();
    }
  }
  for (NarrowMatrix* table : {&model.wte.narrow, &model.narrow_head}) {
    if (table->defined()) *table = table->first_rows(tokens);
  }
  model.config.vocab_size = tokens;
}

}  // namespace

bool may_be_padded(const Tokenizer& tokenizer, Index tokens, Index rows) {
  constexpr Index kMost = 1024;
  return is_hugging_face(tokenizer) && rows > tokens && rows - tokens <= kMost;
}

void save_gpt(const fs::path& folder, const Gpt& model) {
  check(model.weights() == WeightType::kFloat32, "save_gpt: cannot save weights in ",
        name_of(model.weights()), " (load the model with weights in float32)");
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

Gpt load_gpt(const fs::path& named, WeightType weights) {
  const fs::path given = find_folder(named), folder = base_of(given);
  const GptConfig config = load_gpt_config(folder);
  const fs::path file = find_model_file(folder);
  const ModelTensors held(file);
  for (const auto& [name, shape] : held.index_shapes()) {
    if (!is_mask(name)) {
      fail_for(file, "tensor ", name, " holds integers, not parameters");
    }
  }
  Found found = with_own_names(held, config.tied);
  check_size(folder, config, found);
  check_weights(folder, config.n_positions * config.n_embd);  // tables and caches are this long too
  const MergedAdapter adapter(given);
  adapter.fit(found.shapes);
  Gpt model(config, 0, weights);
  const std::vector<Parameter> parameters = all_parameters(model);
  // Earlier versions wrote models with a Llama's parts by Gpt's names.
  const bool is_llama = llama_kind(config) && !found.contains(kTable);
  Parts parts;
  NamedShapes wanted;
  for (const auto& [name, shape, role] : parameters) {
    parts[name] = is_llama ? llama_parts(config, name, shape, role) : NamedShapes{{name, shape}};
    wanted.insert(wanted.end(), parts[name].begin(), parts[name].end());
  }
  if (is_llama) {
    std::erase_if(found.shapes, [](const auto& entry) { return is_llama_constant(entry.first); });
  } else if (!config.bias && !config.qkv_bias && !config.output_bias) {
    drop_biases(file, held, parameters, found);
  }
  check_tensors(file, wanted, found.shapes);
  if (config.tied) {
    check_tied(file, held);
  }
  read_parameters(held, found, adapter, parts, is_llama, model);
  return model;
}

Checkpoint load_checkpoint(const fs::path& named, WeightType weights) {
  const fs::path folder = find_folder(named), base = base_of(folder);
  Checkpoint checkpoint{load_gpt(folder, weights), load_tokenizer(base), std::nullopt};
  const Index tokens = checkpoint.tokenizer->vocab_size();
  const Index rows = checkpoint.model.config.vocab_size;
  if (tokens != rows) {
    // A run's embedding has exactly its tokenizer's size.
    if (fs::exists(base / kTrainerFile) || !may_be_padded(*checkpoint.tokenizer, tokens, rows)) {
      fail_for(tokenizer_file(base), "has ", tokens, " tokens, but ", kConfigFile,
               " has vocab_size ", rows, " (the two files do not belong together)");
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

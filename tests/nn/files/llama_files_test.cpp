// Llama, Mistral, Qwen2 and Qwen3 in Hugging Face's folders. golden/llama_reference.py made the
// fixtures with PyTorch.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "autograd/graph.h"
#include "nn/files/checkpoint_json.h"
#include "nn/files/gpt_files.h"
#include "nn/files/llama_config.h"
#include "nn/files/model_configs.h"
#include "nn/files/safetensors.h"
#include "tests/nn/edit_file.h"
#include "tests/nn/saved_checkpoint.h"
#include "tests/nn/tiny_gpt.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

namespace fs = std::filesystem;
using Ordered = nlohmann::ordered_json;
using TensorMap = std::map<std::string, Tensor>;

const fs::path kGolden = GRADUS_GOLDEN_DIR;

/// A copy of one of the fixture's folders, which tests change.
struct LlamaFolder {
  explicit LlamaFolder(const std::string& name) {
    fs::copy(kGolden / "llama_hf" / name, folder.path, fs::copy_options::recursive);
  }
  void edit(const std::function<void(Ordered&)>& change) const {
    edit_json(folder.path / "config.json", change);
  }
  /// Sets the keys of `changes`.
  void update(const Ordered& changes) const {
    edit([&](Ordered& json) { json.update(changes); });
  }
  void edit_tensors(const std::function<void(TensorMap&)>& change) const {
    gradus::edit_tensors(folder.path / "model.safetensors", change);
  }
  Gpt load() const { return load_gpt(folder.path); }

  TemporaryFolder folder;
};

const Safetensors& expected() {
  static const Safetensors file = load_safetensors((kGolden / "llama_hf.safetensors").string());
  return file;
}

/// Calls run(name, folder) for each case of the fixture.
template <class Run>
void for_each_case(Run run) {
  for (const Ordered& one : Ordered::parse(bytes_of(kGolden / "llama_hf" / "cases.json"))) {
    const std::string name = one.at("name");
    CAPTURE(name);
    const LlamaFolder folder(one.at("folder"));
    folder.update(one.at("changes"));
    run(name, folder);
  }
}

Tensor logits_of(const Gpt& model) {
  const NoGrad no_grad;
  return model(expected().indices.at("tokens"));
}

double largest(const Tensor& x) {
  double most = 0;
  for (const Scalar value : x) most = std::max(most, std::abs(double{value}));
  return most;
}

/// The names of the kinds as which save_gpt() writes the cases that other kinds can express too.
std::string kind_after_saving(const std::string& name, const std::string& kind) {
  return name == "mistral without a window" ? "llama" : kind;
}

TensorMap all_tensors(const fs::path& folder) {
  TensorMap all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".safetensors") {
      all.merge(load_safetensors(entry.path().string()).tensors);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("llama files: in each family and with each option, the logits are PyTorch's") {
  std::set<std::vector<Scalar>> seen;
  for_each_case([&](const std::string& name, const LlamaFolder& folder) {
    const Tensor& wanted = expected().tensors.at(name);
    const Tensor got = logits_of(folder.load());
    REQUIRE(got.shape() == wanted.shape());
    const double most = largest(wanted), difference = largest(got - wanted);
    CAPTURE(difference);
    CHECK(difference < 1e-5 * most);
    CHECK(seen.insert(wanted.values()).second);  // each option changes the logits
    CHECK(kind_of_checkpoint(folder.folder.path) == ModelKind::kGpt);
  });
  CHECK(seen.size() == 15);
}

TEST_CASE(
    "llama files: a saved model has the same tensors, kind and logits when it is read again") {
  for_each_case([&](const std::string& name, const LlamaFolder& folder) {
    const Gpt model = folder.load();
    const TemporaryFolder saved;
    save_gpt(saved.path, model);
    const TensorMap before = all_tensors(folder.folder.path), after = all_tensors(saved.path);
    REQUIRE(before.size() == after.size());
    for (const auto& written : before) {
      CAPTURE(written.first);
      const Tensor& tensor = written.second;
      REQUIRE(after.contains(written.first));
      CHECK(after.at(written.first).shape() == tensor.shape());
      CHECK(after.at(written.first).values() == tensor.values());
    }
    const Ordered given = Ordered::parse(bytes_of(folder.folder.path / "config.json"));
    const Ordered json = Ordered::parse(bytes_of(saved.path / "config.json"));
    CHECK(json.at("model_type") == kind_after_saving(name, given.at("model_type")));
    CHECK(logits_of(load_gpt(saved.path)).values() == logits_of(model).values());
    const TemporaryFolder twice;
    save_gpt(twice.path, load_gpt(saved.path));
    CHECK(bytes_of(twice.path / "config.json") == bytes_of(saved.path / "config.json"));
  });
}

TEST_CASE("llama files: a model with these parts is written as the kind that has them") {
  const std::map<std::string, std::string> kinds = {
      {"llama", "llama"},
      {"llama, tied, one kv head", "llama"},
      {"llama with biases", "llama"},
      {"llama with biases of the attention", "llama"},
      {"mistral", "mistral"},
      {"qwen2", "qwen2"},
      {"qwen2 with a window", "qwen2"},
      {"qwen3", "qwen3"},
      {"linear", "llama"},
      {"llama3", "llama"},
      // With 13 positions, a length that the factor does not give.
      {"dynamic", "llama"},
      {"yarn", "llama"}};
  for (auto decoder : decoder_configs()) {
    CAPTURE(decoder.first);
    GptConfig& config = decoder.second;
    config.dropout = Scalar(0.25);  // a resumed run needs it
    config.attention_dropout = Scalar(0.5);
    const Gpt model = drawn_gpt(config);
    const TemporaryFolder folder;
    save_gpt(folder.path, model);
    const Ordered json = Ordered::parse(bytes_of(folder.path / "config.json"));
    CHECK(json.at("model_type") == kinds.at(decoder.first));
    if (decoder.first == "dynamic" || decoder.first == "yarn") {
      // Other programs take the scaling from this length, not from the 13 positions.
      CHECK(json.at("max_position_embeddings") == (decoder.first == "yarn" ? 15 : 6));
    }
    const Gpt read = load_gpt(folder.path);
    CHECK(read.config.n_positions == config.n_positions);
    CHECK(all_values(parameters(read)) == all_values(parameters(model)));
    const IndexTensor tokens = indices({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1}});
    const NoGrad no_grad;
    CHECK(read(tokens).values() == model(tokens).values());
    CHECK(read.config.dropout == Scalar(0.25));
    CHECK(read.config.attention_dropout == Scalar(0.5));
    CHECK(read.config.embedding_dropout.value_or(read.config.dropout) == Scalar(0.25));
  }
}

TEST_CASE("llama files: a model with other parts too has gradus's own names") {
  GptConfig config = decoder_configs()[5].second;
  config.token_shift = true;
  config.rotary = {.base = 50, .scaling = RotaryScaling::kLlama3, .factor = 2, .trained_length = 9};
  const Gpt model = drawn_gpt(config);
  const TemporaryFolder folder;
  save_gpt(folder.path, model);
  CHECK(all_tensors(folder.path).contains("transformer.h.0.attn.c_attn.bias"));
  const Gpt read = load_gpt(folder.path);
  CHECK(all_values(parameters(read)) == all_values(parameters(model)));
  const NoGrad no_grad;
  CHECK(read(indices({{1, 2, 3}})).values() == model(indices({{1, 2, 3}})).values());
}

TEST_CASE("llama files: a folder that an earlier version wrote by gradus's own names is read") {
  GptConfig config = decoder_configs()[0].second;
  config.n_kv_head = 0;
  const Gpt model = drawn_gpt(config);
  const TemporaryFolder folder;
  GptConfig other = config;
  other.token_shift = true;  // so that the config has gradus's own names
  Ordered json = Ordered::parse(config_to_json(other));
  json["token_shift"] = false;
  for (const char* key :
       {"n_kv_head", "head_width", "qk_norm", "qkv_bias", "output_bias", "window"}) {
    json.erase(key);
  }
  json.erase("rotary_scaling");
  overwrite(folder.path / "config.json", json.dump());
  save_parameters(folder.path, parameters(model));
  CHECK(all_values(parameters(load_gpt(folder.path))) == all_values(parameters(model)));
}

TEST_CASE("llama files: constants of old files and a copy of a tied embedding are left out") {
  const LlamaFolder folder("qwen2");
  const std::vector<Scalar> before = logits_of(folder.load()).values();
  folder.edit_tensors([](TensorMap& tensors) {
    tensors["model.layers.0.self_attn.rotary_emb.inv_freq"] = tensor({1, 0.1});
    tensors["lm_head.weight"] = tensors.at("model.embed_tokens.weight");
  });
  CHECK(logits_of(folder.load()).values() == before);
  folder.edit_tensors([](TensorMap& tensors) {
    tensors["lm_head.weight"] = tensors.at("lm_head.weight") * Scalar(2);
  });
  CHECK_REFUSES(folder.load(),
                "lm_head.weight differs from model.embed_tokens.weight, to which it must be tied");
}

TEST_CASE("llama files: a tensor that is missing, too much or of another shape is named") {
  const auto refused = [](const char* message, const std::function<void(TensorMap&)>& change) {
    const LlamaFolder folder("llama_biases");
    folder.edit_tensors(change);
    CHECK_REFUSES(folder.load(), message);
  };
  refused(
      "lacks the tensor model.layers.1.self_attn.k_proj.weight (queries, keys or values of a "
      "block)",
      [](TensorMap& t) { t.erase("model.layers.1.self_attn.k_proj.weight"); });
  refused("lacks the tensor model.embed_tokens.weight (the embedding of tokens)",
          [](TensorMap& t) { t.erase("model.embed_tokens.weight"); });
  refused("has an unexpected tensor: model.layers.0.self_attn.q_norm.weight",
          [](TensorMap& t) { t["model.layers.0.self_attn.q_norm.weight"] = ones({4}); });
  refused("tensor model.layers.0.mlp.up_proj.weight must have the shape [12, 16], got [16, 12]",
          [](TensorMap& t) {
            t["model.layers.0.mlp.up_proj.weight"] = ones({16, 12});
          });
  refused("model.norm.weight contains",
          [](TensorMap& t) { t["model.norm.weight"] = full({16}, kNaN); });
}

TEST_CASE("llama files: every key of config.json is used, has no effect, or is refused by name") {
  const auto refused = [](const char* name, const Ordered& changes, const char* message) {
    CAPTURE(message);
    const LlamaFolder folder(name);
    folder.update(changes);
    CHECK_REFUSES(load_gpt_config(folder.folder.path), message);
  };
  refused("llama", {{"moe_layers", 2}},
          "the key \"moe_layers\" is unknown, and its value may change the model's results, got 2 "
          "(remove the key if it has no effect)");
  refused("llama", {{"hidden_act", "gelu"}}, "\"hidden_act\" must be \"silu\", got \"gelu\"");
  refused("llama", {{"sliding_window", 5}}, "\"sliding_window\" must be null, got 5");
  refused("mistral", {{"attention_bias", true}}, "the key \"attention_bias\" is unknown");
  refused("mistral", {{"sliding_window", 0}}, "\"sliding_window\" must be from 1 to");
  refused("qwen2", {{"use_mrope", true}}, "\"use_mrope\" must be false, got true");
  refused("qwen2", {{"layer_types", {"full_attention", "sliding_attention"}}},
          "\"layer_types\" must agree with the window: [\"full_attention\",\"full_attention\"]");
  refused("qwen3", {{"quantization_config", {{"bits", 4}}}},
          "\"quantization_config\" must be null, got {\"bits\":4} (gradus supports no other value");
  refused(
      "llama", {{"architectures", {"LlamaForSequenceClassification"}}},
      "\"architectures\" must be [\"LlamaForCausalLM\"] for \"model_type\" \"llama\", got "
      "[\"LlamaForSequenceClassification\"] (if only the model's name differs, write the family's "
      "\"model_type\" and \"architectures\")");
  refused("llama", {{"model_type", "qwen2"}}, "must be [\"Qwen2ForCausalLM\"]");
  refused("llama", {{"model_type", "gemma"}},
          "\"model_type\" must be \"gpt2\", \"gradus\", \"llama\", \"mistral\", \"qwen2\" or "
          "\"qwen3\", got \"gemma\" (if only the model's name differs, write");
  refused("llama", {{"num_key_value_heads", 3}}, "n_head must be a multiple of n_kv_head");
  refused("llama", {{"num_key_value_heads", -1}}, "\"num_key_value_heads\" must be from 1 to");
  refused("llama", {{"head_dim", 3}}, "an even number of channels in each head, got 3");
  refused("llama", {{"partial_rotary_factor", 0.5}},
          "\"partial_rotary_factor\" must be 1.0, got 0.5");
  refused("llama", {{"rms_norm_eps", -1}}, "layer_norm_epsilon must be above 0");
  refused("llama", {{"rope_theta", "x"}}, "\"rope_theta\" must be a number");
  refused("llama", {{"attention_dropout", 1}}, "dropout must be in [0, 1), got 1");
  refused("llama", {{"max_position_embeddings", 0}}, "\"max_position_embeddings\" must be from 1");
  refused("llama", {{"num_hidden_layers", nullptr}}, "the key \"num_hidden_layers\" is missing");
  const auto scaled = [&](const Ordered& scaling, const char* message) {
    refused("llama", {{"rope_scaling", scaling}}, message);
  };
  scaled({{"type", "longrope"}, {"factor", 2}},
         "\"type\" must be \"default\", \"linear\", \"dynamic\", \"llama3\" or \"yarn\", got "
         "\"longrope\"");
  scaled({{"factor", 2}}, "the key \"type\" is missing");
  scaled({{"type", "linear"}}, "the key \"factor\" is missing");
  scaled({{"type", "linear"}, {"factor", 0.5}}, "the factor of linear scaling must be at least 1");
  scaled({{"type", "linear"}, {"factor", 2}, {"beta_fast", 3}},
         "the key \"beta_fast\" in \"rope_scaling\" is unknown");
  scaled({{"rope_type", "llama3"}, {"factor", 2}, {"low_freq_factor", 1}, {"high_freq_factor", 4}},
         "the key \"original_max_position_embeddings\" is missing");
  scaled({{"rope_type", "yarn"}, {"factor", 1e12}}, "\"factor\" must give at most");
  scaled({{"rope_type", "linear"}, {"type", "yarn"}, {"factor", 2}},
         "\"rope_type\" and \"type\" in \"rope_scaling\" must be equal, got \"linear\" and "
         "\"yarn\" (remove one)");
  scaled({{"type", "default"}, {"rope_theta", 5}},
         "\"rope_theta\" must be equal beside and in \"rope_scaling\", got 100 and 5 (remove one)");
  scaled(3, "\"rope_scaling\" must be an object or null, got 3");
  refused("llama",
          {{"rope_scaling", {{"type", "linear"}, {"factor", 2}}},
           {"rope_parameters", {{"rope_theta", 5}}}},
          "\"rope_parameters\" and \"rope_scaling\" must be equal if both are there");
}

TEST_CASE("llama files: a model under another name can be read after a change of the name") {
  const LlamaFolder folder("llama");
  folder.update({{"model_type", "other"}, {"architectures", {"OtherForCausalLM"}}});
  CHECK_REFUSES(kind_of_checkpoint(folder.folder.path),
                "\"model_type\" must be \"gpt2\", \"bert\", \"llama\", \"mistral\", \"qwen2\" or "
                "\"qwen3\", or a name that gradus writes, got \"other\" (if only the model's name "
                "differs, write the family's \"model_type\" and \"architectures\")");
  folder.update({{"model_type", "llama"}, {"architectures", {"LlamaForCausalLM"}}});
  CHECK(kind_of_checkpoint(folder.folder.path) == ModelKind::kGpt);
  CHECK(largest(logits_of(folder.load())) > 0);
}

TEST_CASE("llama files: the values of missing keys") {
  const auto config_without = [](const char* name, const std::vector<const char*>& keys) {
    const LlamaFolder folder(name);
    folder.edit([&](Ordered& json) {
      for (const char* key : keys) json.erase(key);
    });
    return load_gpt_config(folder.folder.path);
  };
  const GptConfig llama = config_without(
      "llama", {"num_key_value_heads", "rope_theta", "rms_norm_eps", "attention_bias", "mlp_bias",
                "attention_dropout", "tie_word_embeddings", "architectures", "rope_scaling"});
  CHECK(llama.kv_heads() == 4);
  CHECK(llama.rotary.base == 10000);
  CHECK(llama.layer_norm_epsilon == Scalar(1e-6));
  CHECK(!llama.bias);
  CHECK(!llama.qkv_bias.value_or(true));
  CHECK(!llama.tied);
  CHECK(llama.dropout == 0);
  CHECK(llama.width() == 4);
  CHECK(config_without("qwen3", {"head_dim"}).width() == 128);
  CHECK(config_without("mistral", {"sliding_window"}).window == 4096);
  const LlamaFolder qwen("qwen2");
  qwen.edit([](Ordered& json) {
    json["use_sliding_window"] = true;
    json.erase("sliding_window");
    json.erase("max_window_layers");
  });
  const GptConfig windows = load_gpt_config(qwen.folder.path);
  CHECK(windows.window == 4096);
  CHECK(windows.window_from == 28);
  CHECK_REFUSES(config_without("mistral", {"num_key_value_heads"}),
                "the key \"num_key_value_heads\" is missing");
}

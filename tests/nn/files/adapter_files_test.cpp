// Low-rank adapters in PEFT's layout. golden/lora_reference.py made the fixtures with PyTorch.
#include "nn/files/adapter_files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "autograd/graph.h"
#include "autograd/ops/shape.h"
#include "nn/files/bert_files.h"
#include "nn/files/gpt_files.h"
#include "nn/files/model_configs.h"
#include "nn/tasks/bert_label_task.h"
#include "nn/tasks/prompt_task.h"
#include "nn/text/word_tokenizer.h"
#include "nn/train/trainer.h"
#include "tests/autograd/expect.h"
#include "tests/nn/edit_file.h"
#include "tests/nn/saved_checkpoint.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

namespace fs = std::filesystem;
using Ordered = nlohmann::ordered_json;
using TensorMap = std::map<std::string, Tensor>;

/// A copy of one of the fixture's adapters, which tests change.
struct AdapterFolder {
  explicit AdapterFolder(const std::string& name = "llama") {
    const fs::path from = fs::path(GRADUS_GOLDEN_DIR) / "lora" / name;
    fs::copy(from, folder.path, fs::copy_options::recursive);
    edit([&](Ordered& json) {
      const std::string base = json["base_model_name_or_path"];
      json["base_model_name_or_path"] = fs::canonical(from / base).string();
    });
  }
  void edit(const std::function<void(Ordered&)>& change) const {
    edit_json(folder.path / kAdapterConfigFile, change);
  }
  void edit_tensors(const std::function<void(TensorMap&)>& change) const {
    gradus::edit_tensors(folder.path / kAdapterFile, change);
  }
  Gpt load() const { return load_gpt(folder.path); }

  TemporaryFolder folder;
};

Tensor logits_on(const Gpt& model, const IndexTensor& tokens) {
  const NoGrad no_grad;
  return model(tokens);
}

PromptModel letters_model(GptConfig config) {
  const auto tokenizer = std::make_shared<CharTokenizer>(CharTokenizer::learn("\n =abcdefg"));
  config.n_positions = 13;
  return make_prompt_model(tokenizer, config, 4);
}

DataSplit<Prompt> letter_prompts() {
  DataSplit<Prompt> data;
  for (const char letter : std::string("abcdefg")) {
    data.train.push_back({std::string(1, letter) + "=", std::string(" ") + letter, "x"});
  }
  data.held_out = {data.train[2], data.train[3]};
  return data;
}

TrainOptions few_steps() {
  TrainOptions options;
  options.max_iters = 8;
  options.batch_size = 4;
  options.schedule = {.rate = 1e-2, .floor = 1e-3, .warmup = 2, .decay = 8};
  options.eval_interval = 4;
  options.eval_iters = 1;
  options.average = 0.5;
  return options;
}

/// One config for each layout of save_gpt().
std::map<std::string, GptConfig> layouts() {
  std::map<std::string, GptConfig> configs{{"gpt2", tiny_gpt_config()}};
  for (const auto& layout : decoder_configs()) {
    const std::string& name = layout.first;
    const GptConfig& config = layout.second;
    if (name == "llama" || name == "qwen2") configs.emplace(name, config);
  }
  configs.emplace("gradus", tiny_gpt_config()).first->second.token_shift = true;
  for (auto& entry : configs) entry.second.dropout = Scalar(0.1);
  return configs;
}

/// Saves a prompt model in a folder, and begins an adapter of it.
PromptModel adapted_letters(const fs::path& base, const GptConfig& config) {
  fs::create_directories(base);
  PromptModel model = letters_model(config);
  model.model = drawn_gpt(model.model.config);  // a new output layer that is not tied is 0
  save_model(base, model);
  adapt(model, {base, {.rank = 3, .alpha = 5}}, 9);
  return model;
}

}  // namespace

TEST_CASE("adapter files: the logits of a model with an adapter of others are PyTorch's") {
  const Safetensors expected =
      load_safetensors((fs::path(GRADUS_GOLDEN_DIR) / "lora.safetensors").string());
  const IndexTensor& tokens = expected.indices.at("tokens");
  for (const std::string name : {"llama", "mistral", "gpt2"}) {
    CAPTURE(name);
    const AdapterFolder folder(name);
    const Tensor got = logits_on(folder.load(), tokens);
    CHECK(difference(got, expected.tensors.at(name), 1e-4) == "");
    const Tensor without = logits_on(load_gpt(base_of(folder.folder.path)), tokens);
    CHECK(difference(got, without, 1e-2) != "");
    CHECK(kind_of_checkpoint(folder.folder.path) == ModelKind::kGpt);
  }
}

TEST_CASE("adapter files: a trained adapter is written as PEFT does, and gives the same model") {
  for (const auto& layout : layouts()) {
    const std::string& name = layout.first;
    const GptConfig& config = layout.second;
    CAPTURE(name);
    const TemporaryFolder folder;
    const fs::path base = folder.path / "base", last = folder.path / "run" / "last";
    PromptTask task(adapted_letters(base, config), "letters", letter_prompts());
    const std::vector<Scalar> before = all_values(parameters(load_gpt(base)));
    Trainer trainer(task, few_steps(), folder.path / "run");
    CHECK(trainer.run({}));
    CHECK(all_values(parameters(load_gpt(base))) == before);
    CHECK_FALSE(fs::exists(last / "model.safetensors"));

    const Ordered json = Ordered::parse(bytes_of(last / kAdapterConfigFile));
    const bool is_llama = name == "llama" || name == "qwen2";
    const Ordered targets = is_llama ? Ordered{"down_proj", "gate_proj", "k_proj", "o_proj",
                                               "q_proj",    "up_proj",   "v_proj"}
                                     : Ordered{"c_attn", "c_fc", "c_proj"};
    CHECK(json.at("target_modules") == targets);
    CHECK(json.at("fan_in_fan_out") == !is_llama);
    CHECK(json.at("peft_type") == "LORA");
    CHECK(json.at("task_type") == "CAUSAL_LM");
    CHECK(json.at("r") == 3);
    CHECK(json.at("lora_alpha") == 5);
    CHECK(json.at("base_model_name_or_path") == base.string());
    const TensorMap tensors = load_safetensors((last / kAdapterFile).string()).tensors;
    const std::string layer = is_llama ? "base_model.model.model.layers.1.self_attn.k_proj."
                                       : "base_model.model.transformer.h.1.attn.c_attn.";
    const Index channels = config.n_embd;
    CHECK(tensors.size() == (is_llama ? 28 : 16));
    CHECK(tensors.at(layer + "lora_A.weight").shape() == Shape{3, channels});
    CHECK(tensors.at(layer + "lora_B.weight").shape() ==
          Shape{is_llama ? config.kv_heads() * config.width() : 3 * channels, 3});

    // The average of the pairs was saved; the task goes on with the pairs themselves.
    const PromptModel apart = load_adapted_prompt_model(last);
    const PromptModel merged = load_prompt_model(last);
    CHECK_FALSE(merged.adapter.has_value());
    const IndexTensor tokens = indices({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1}});
    const Tensor logits = logits_on(merged.model, tokens);
    CHECK(difference(logits, logits_on(apart.model, tokens), 1e-4) == "");
    CHECK(difference(logits, logits_on(load_gpt(base), tokens), 1e-3) != "");

    const fs::path whole = folder.path / "whole";
    fs::create_directory(whole);
    save_model(whole, merged);
    CHECK(logits_on(load_gpt(whole), tokens).values() == logits.values());
    CHECK_FALSE(holds_adapter(whole));
  }
}

TEST_CASE("adapter files: a run that was stopped and resumed gives the same bytes") {
  for (const auto& layout : layouts()) {
    const std::string& name = layout.first;
    const GptConfig& config = layout.second;
    CAPTURE(name);
    const TemporaryFolder folder;
    const fs::path base = folder.path / "base";
    const auto train = [&](const char* out, std::int64_t stop, bool resume) {
      const fs::path last = folder.path / out / "last";
      PromptTask task(resume ? load_adapted_prompt_model(last) : adapted_letters(base, config),
                      "letters", letter_prompts());
      Trainer trainer(task, few_steps(), folder.path / out);
      if (resume) trainer.resume(last, *load_state(last));
      trainer.run({.should_stop = [&] { return trainer.state().step == stop; }});
    };
    train("whole", -1, false);
    train("parts", 3, false);
    CHECK(load_state(folder.path / "parts" / "last")->step == 3);
    train("parts", -1, true);
    for (const char* file : {kAdapterFile, kAdapterConfigFile, "optimizer.safetensors"}) {
      CAPTURE(file);
      CHECK(bytes_of(folder.path / "parts/last" / file) ==
            bytes_of(folder.path / "whole/last" / file));
    }
  }
}

TEST_CASE("adapter files: a BERT's pooler and classifier are kept beside its pairs") {
  const TemporaryFolder folder;
  const fs::path base = folder.path / "base";
  fs::create_directory(base);
  const auto tokenizer =
      std::make_shared<WordTokenizer>(WordTokenizer::learn("a good film, a bad film, fine", 20));
  const LayerOptions layer{.d_model = 8, .num_heads = 2, .dropout = 0, .max_length = 12};
  save_model(base, make_bert(tokenizer, 2, layer, 1));
  const DataSplit<LabelledText> data{{{"a bad film", 0}, {"a good film", 1}, {"fine", 1}},
                                     {{"good", 1}, {"bad", 0}}};
  const auto train = [&](const char* out, std::int64_t stop, bool resume) {
    const fs::path last = folder.path / out / "last";
    BertModel bert = resume ? load_adapted_bert(last) : load_bert(base);
    if (!resume) adapt(bert, {base, {.rank = 2, .alpha = 4}}, 5);
    BertLabelTask task(std::move(bert), "films", {"bad", "good"}, data, 1);
    Trainer trainer(task, few_steps(), folder.path / out);
    if (resume) trainer.resume(last, *load_state(last));
    trainer.run({.should_stop = [&] { return trainer.state().step == stop; }});
  };
  train("whole", -1, false);
  train("parts", 3, false);
  train("parts", -1, true);
  const fs::path last = folder.path / "whole/last";
  CHECK(bytes_of(last / kAdapterFile) == bytes_of(folder.path / "parts/last" / kAdapterFile));
  const TensorMap tensors = load_safetensors((last / kAdapterFile).string()).tensors;
  CHECK(tensors.size() == 2 * 6 * 2 + 4);
  CHECK(tensors.at("base_model.model.classifier.weight").shape() == Shape{2, 8});
  CHECK(tensors.contains("base_model.model.bert.pooler.dense.bias"));
  const Ordered json = Ordered::parse(bytes_of(last / kAdapterConfigFile));
  CHECK(json.at("target_modules") ==
        Ordered{"intermediate.dense", "key", "output.dense", "query", "value"});
  CHECK(json.at("modules_to_save") == Ordered{"classifier", "pooler"});
  CHECK(json.at("task_type") == "SEQ_CLS");
  CHECK(json.at("fan_in_fan_out") == false);

  const BertModel merged = load_bert(last), apart = load_adapted_bert(last);
  CHECK(merged.labels == std::vector<std::string>{"bad", "good"});
  CHECK(kind_of_checkpoint(last) == ModelKind::kBert);
  const std::vector<TokenRow> rows{row_of(merged, "a good film"), row_of(merged, "a bad film")};
  const NoGrad no_grad;
  CHECK(difference(logits_of(merged, rows), logits_of(apart, rows), 1e-4) == "");
  const TokenRow row = row_of(merged, "a film");
  const auto features = [&](const BertModel& bert) {
    return bert.model.features(IndexTensor(Shape{1, std::ssize(row)}, row));
  };
  CHECK(difference(features(merged), features(load_bert(base)), 1e-3) != "");
}

TEST_CASE("adapter files: keys that change the model are used or refused by name") {
  const IndexTensor tokens = indices({{0, 1, 2, 3, 4, 5, 6}});
  const auto logits = [&](const AdapterFolder& folder) {
    return logits_on(folder.load(), tokens).values();
  };
  const std::vector<Scalar> before = logits(AdapterFolder());
  const auto with = [&](const Ordered& changes) {
    const AdapterFolder folder;
    folder.edit([&](Ordered& json) { json.update(changes); });
    return logits(folder);
  };
  CHECK(with({{"lora_alpha", 9}}) != before);
  CHECK(with({{"use_rslora", true}}) != before);
  for (const Ordered& same :
       {Ordered{{"inference_mode", false}}, Ordered{{"peft_version", "0.17.1"}},
        Ordered{{"fan_in_fan_out", true}}, Ordered{{"a_new_switch", false}},
        Ordered{{"a_new_list", Ordered::array()}}, Ordered{{"target_modules", "all-linear"}},
        Ordered{{"init_lora_weights", "gaussian"}}, Ordered{{"lora_dropout", 0.5}}}) {
    CAPTURE(same.dump());
    CHECK(with(same) == before);
  }
  const std::pair<Ordered, const char*> refused[] = {
      {{{"use_dora", true}}, "\"use_dora\" must be false, got true"},
      {{{"use_qalora", true}}, "\"use_qalora\" must be false, got true"},
      {{{"lora_bias", true}}, "\"lora_bias\" must be false, got true"},
      {{{"bias", "all"}}, "\"bias\" must be \"none\", got \"all\""},
      {{{"rank_pattern", {{"q_proj", 4}}}}, "\"rank_pattern\" must be {}, got {\"q_proj\":4}"},
      {{{"alpha_pattern", {{"q_proj", 4}}}}, "\"alpha_pattern\" must be {}, got"},
      {{{"layer_replication", {{0, 1}}}}, "\"layer_replication\" must be null, got [[0,1]]"},
      {{{"init_lora_weights", "pissa"}},
       "\"init_lora_weights\" must be true, false or \"gaussian\""},
      {{{"peft_type", "IA3"}}, "\"peft_type\" must be \"LORA\", got \"IA3\""},
      {{{"a_new_switch", true}}, "the key \"a_new_switch\" is unknown"},
      {{{"r", 0}}, "\"r\" must be from 1 to 65536, got 0"},
      {{{"r", Ordered()}}, "the key \"r\" is missing"},
      {{{"r", 3}}, "must be a matrix with 3 rows, as \"r\" in adapter_config.json, got [2, 16]"},
      {{{"lora_alpha", 0}}, "\"lora_alpha\" must be above 0, got 0"},
      {{{"lora_alpha", 1e60}}, "\"lora_alpha\" must be a number between"},
      {{{"base_model_name_or_path", 3}}, "\"base_model_name_or_path\" must be a text, got 3"},
      {{{"base_model_name_or_path", ""}}, "which is not a folder (download the model"},
      {{{"base_model_name_or_path", "meta-llama/Llama-2-7b-hf"}},
       "got \"meta-llama/Llama-2-7b-hf\", which is not a folder (download the model"},
  };
  for (const auto& pair : refused) {
    const auto& changes = pair.first;
    const auto& message = pair.second;
    CAPTURE(message);
    CHECK_REFUSES(with(changes), message);
    CHECK_REFUSES(with(changes), "adapter_");
  }
  const AdapterFolder itself;
  itself.edit(
      [&](Ordered& json) { json["base_model_name_or_path"] = itself.folder.path.string(); });
  CHECK_REFUSES(itself.load(), "holds an adapter too (merge that one first)");
}

TEST_CASE("adapter files: tensors that do not fit their base") {
  const std::string layer = "base_model.model.model.layers.0.self_attn.v_proj.";
  const std::string first = layer + "lora_A.weight", second = layer + "lora_B.weight";
  const auto refuses = [&](const std::function<void(TensorMap&)>& change, const char* message) {
    CAPTURE(message);
    const AdapterFolder folder;
    folder.edit_tensors(change);
    CHECK_REFUSES(folder.load(), message);
  };
  refuses([&](TensorMap& t) { t.erase(second); }, "but not the other one of its pair");
  refuses([&](TensorMap& t) { t.erase(first); }, "but not the other one of its pair");
  refuses(
      [&](TensorMap& t) {
        t.at(second) = zeros({9, 2});
      },
      "the pair for \"model.layers.0.self_attn.v_proj\" must give the weight's shape [8, 16], "
      "got [9, 16]");
  refuses([&](TensorMap& t) { t.at(first) = zeros({2, 15}); }, "got [8, 15]");
  refuses([&](TensorMap& t) { t.at(first) = zeros({3, 16}); }, "must be a matrix with 2 rows");
  refuses([&](TensorMap& t) { t.at(first) = zeros({2}); }, "must be a matrix with 2 rows");
  refuses([&](TensorMap& t) { t.at(first).mutable_data()[3] = kNaN; }, "contains NaN at [0, 3]");
  refuses([&](TensorMap& t) { t[layer + "lora_magnitude_vector"] = zeros({8}); },
          "belongs to a kind of adapter that gradus does not have");
  refuses(
      [&](TensorMap& t) {
        t["base_model.model.model.embed_tokens.lora_embedding_A"] = zeros({2, 13});
      },
      "belongs to a kind of adapter that gradus does not have");
  refuses([&](TensorMap& t) { t["model.norm.weight"] = zeros({16}); },
          "must have a name that begins with base_model.model.");
  refuses([&](TensorMap& t) { t["base_model.model.model.norm.bias"] = zeros({16}); },
          "has an unexpected tensor");
  refuses(
      [&](TensorMap& t) {
        t["base_model.model.model.layers.2.mlp.up_proj.lora_A.weight"] = zeros({2, 16});
        t["base_model.model.model.layers.2.mlp.up_proj.lora_B.weight"] = zeros({12, 2});
      },
      "has a pair for \"model.layers.2.mlp.up_proj\", but ");
  const AdapterFolder old;
  fs::rename(old.folder.path / kAdapterFile, old.folder.path / "adapter_model.bin");
  CHECK_REFUSES(old.load(), "adapter_model.bin: cannot be read, as this format may run code");
}

TEST_CASE("adapter files: an adapter of other weights than its base has now is refused") {
  const TemporaryFolder folder;
  const fs::path base = folder.path / "base", last = folder.path / "run/last";
  PromptTask task(adapted_letters(base, tiny_gpt_config()), "letters", letter_prompts());
  Trainer(task, few_steps(), folder.path / "run").run({});
  CHECK(load_prompt_model(last).model.config.n_embd == 10);
  edit_tensors(base / "model.safetensors", [](TensorMap& tensors) {
    tensors.at("transformer.ln_f.weight").mutable_data()[2] += Scalar(1e-4);
  });
  CHECK_REFUSES(load_prompt_model(last),
                ("belongs to other weights than " + base.string()).c_str());
  CHECK_REFUSES(load_adapted_prompt_model(last), "belongs to other weights than");
  fs::remove_all(base);
  CHECK_REFUSES(load_prompt_model(last), "must name the folder of the model that the adapter");
}

TEST_CASE("adapter files: parts of other adapters that cannot be trained further") {
  const AdapterFolder folder;
  CHECK(folder.load().config.n_layer == 2);
  Gpt model = load_gpt(base_of(folder.folder.path));
  KeySequence keys(1);
  const Adapter adapter = load_adapter(folder.folder.path);
  add_lora(model, adapter.lora, keys);
  CHECK_REFUSES(load_pairs(folder.folder.path, model, adapter), "lacks the tensor ");
}

TEST_CASE("adapter files: in bfloat16, base and adapter are added before they are rounded") {
  const AdapterFolder adapter;
  const Gpt full = adapter.load(), narrow = load_gpt(adapter.folder.path, WeightType::kBfloat16);
  const NoGrad no_grad;
  for (std::size_t i = 0; i < full.h.size(); ++i) {
    const Tensor rows = transpose(full.h[i].attn.c_attn.weight);
    CHECK(narrow.h[i].attn.c_attn.narrow.widened().values() ==
          NarrowMatrix(WeightType::kBfloat16, rows).widened().values());
  }
}

#include "nn/files/checkpoint.h"

#include <limits>
#include <numeric>
#include <set>

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/shape.h"
#include "nn/files/checkpoint_json.h"
#include "nn/files/gpt_files.h"
#include "nn/files/model_tensors.h"
#include "nn/files/tokenizer_files.h"
#include "nn/layers/norm.h"
#include "nn/mode.h"
#include "nn/names.h"
#include "nn/text/byte_pair_tokenizer.h"
#include "tests/nn/saved_checkpoint.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::vector<Scalar> values_of(const Gpt& model) { return all_values(parameters(model)); }

}  // namespace

TEST_CASE("checkpoint: everything comes back, bit for bit") {
  SavedCheckpoint saved;
  const Checkpoint kept = load_checkpoint(saved.folder);
  CHECK(values_of(kept.model) == values_of(saved.model));
  CHECK(kept.model.wte.weight.requires_grad());
  const GptConfig& config = kept.model.config;
  CHECK(config.vocab_size == saved.run.config.vocab_size);
  CHECK(config.n_positions == 7);
  CHECK(config.n_layer == 2);
  CHECK(config.n_head == 2);
  CHECK(config.n_embd == 10);
  CHECK(config.bias);
  CHECK(config.dropout == Scalar(0.2));
  CHECK(config.layer_norm_epsilon == Scalar(1e-5));
  CHECK(tokenizer_to_json(*kept.tokenizer) == tokenizer_to_json(saved.run.tokenizer));
  REQUIRE(kept.state);
  CHECK(kept.state->step == 12);
  CHECK(kept.state->evaluated_step == 7);
  CHECK(kept.state->best_val_loss == 0.1 + 0.2);
  CHECK(kept.state->best_step == 7);
  CHECK(kept.state->last_loss == std::nextafter(2.0, 3.0));
}

TEST_CASE("checkpoint: the optimiser comes back, with its steps") {
  SavedCheckpoint saved;
  Gpt model(saved.run.config);
  AdamW adamw(parameters(model), {});
  load_optimiser(saved.folder, adamw);
  CHECK(adamw.steps() == 12);
  CHECK(all_values(adamw.state()) == all_values(saved.adamw.state()));
}

TEST_CASE("checkpoint: every option of the run comes back") {
  SavedCheckpoint saved;
  // Each number differs from its default and, where possible, is at the limit of its type.
  double real = 1.0 / 3;
  visit_fields(saved.state.options, [&](const char*, auto& value) {
    using Value = std::remove_reference_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, bool>) {
      value = !value;
    } else if constexpr (std::is_floating_point_v<Value>) {
      value = real *= 0.7;
    } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
      value = std::numeric_limits<std::uint64_t>::max() - 1;
    } else if constexpr (std::is_enum_v<Value>) {
      value = static_cast<Value>(1);
    } else {
      value += 1001;
    }
  });
  saved.save();
  const TrainState kept = *load_checkpoint(saved.folder).state;
  std::vector<std::string> before, after;
  const auto list = [](std::vector<std::string>& out) {
    return [&out](const char* key, const auto& value) { out.push_back(text(key, Json(value))); };
  };
  visit_fields(saved.state.options, list(before));
  visit_fields(kept.options, list(after));
  CHECK(before == after);
  CHECK(before.size() == 24);
}

TEST_CASE("checkpoint: models without biases, and runs without an evaluation yet") {
  SavedCheckpoint saved;
  saved.run.config.bias = false;
  Gpt model(saved.run.config, 9);
  saved.state.best_val_loss.reset();
  save_checkpoint(saved.folder, writer(model, saved.run.tokenizer), saved.state,
                  AdamW(parameters(model), {}));
  const Checkpoint kept = load_checkpoint(saved.folder);
  CHECK(values_of(kept.model) == values_of(model));
  CHECK_FALSE(kept.model.config.bias);
  CHECK_FALSE(kept.state->best_val_loss);
}

TEST_CASE("checkpoint: a GPT-2 without biases is stored with zeros, and read without them") {
  SavedCheckpoint saved;
  const auto names = [&] {
    std::set<std::string> all;
    const auto kept = load_safetensors((saved.folder / "model.safetensors").string());
    for (const auto& [name, tensor] : kept.tensors) all.insert(name);
    return all;
  };
  const std::set<std::string> of_gpt2 = names();
  saved.run.config.bias = false;
  Gpt model(saved.run.config, 9);
  const AdamW adamw(parameters(model), {});
  save_checkpoint(saved.folder, writer(model, saved.run.tokenizer), saved.state, adamw);
  CHECK(names() == of_gpt2);
  saved.edit_tensors([&](auto& tensors) {
    for (const NamedTensor& named : parameters(model)) CHECK(tensors.erase(named.name) == 1);
    CHECK(tensors.size() == 13);
    for (const auto& [name, zeros] : tensors) {
      CHECK(zeros.shape() == Shape{zeros.size()});
      CHECK(std::ranges::all_of(zeros, [](Scalar x) { return x == 0; }));
    }
    for (const NamedTensor& named : parameters(model)) tensors[named.name] = named.tensor;
  });
  Gpt kept = load_gpt(saved.folder);
  CHECK_FALSE(kept.config.bias);
  CHECK(parameters(kept).size() == parameters(model).size());
  CHECK(values_of(kept) == values_of(model));
  AdamW resumed(parameters(kept), {});
  CHECK_NOTHROW(load_optimiser(saved.folder, resumed));

  // As another program reads it, with biases of 0.
  saved.edit("config.json", [](Json& json) { json.erase("bias"); });
  const Gpt other = load_gpt(saved.folder);
  CHECK(other.config.bias);
  const IndexTensor tokens = indices({{0, 1, 2, 3}});
  CHECK_CLOSE(other(tokens), model(tokens), 1e-6);

  saved.edit("config.json", [](Json& json) { json["bias"] = false; });
  saved.edit_tensors(
      [](auto& tensors) { tensors["transformer.ln_f.bias"].mutable_data()[4] = Scalar(-0.5); });
  CHECK_REFUSES(load_gpt(saved.folder), "transformer.ln_f.bias is not 0 at [4], but config.json");
  saved.edit_tensors([](auto& tensors) {  // as earlier versions wrote it
    std::erase_if(tensors, [](const auto& entry) { return entry.first.ends_with(".bias"); });
  });
  CHECK(values_of(load_gpt(saved.folder)) == values_of(model));
  saved.edit_tensors([](auto& tensors) { tensors["transformer.ln_f.bias"] = zeros({3}); });
  CHECK_REFUSES(load_gpt(saved.folder), "has an unexpected tensor: transformer.ln_f.bias");

  // A model that is not marked as a GPT-2 does not need them.
  saved.run.config.activation = Activation::kRelu;
  save_gpt(saved.folder, Gpt(saved.run.config, 9));
  const std::set<std::string> own = names();
  CHECK(std::ranges::none_of(own, [](const std::string& name) { return name.ends_with(".bias"); }));
}

TEST_CASE("checkpoint: config.json equals Hugging Face's for GPT-2") {
  const SavedCheckpoint saved;
  const Json json = Json::parse(bytes_of(saved.folder / "config.json"));
  const Json expected = {{"model_type", "gpt2"},
                         {"architectures", {"GPT2LMHeadModel"}},
                         {"activation_function", "gelu_new"},
                         {"tie_word_embeddings", true},
                         {"scale_attn_weights", true},
                         {"scale_attn_by_inverse_layer_idx", false},
                         {"vocab_size", 6},
                         {"n_positions", 7},
                         {"n_ctx", 7},
                         {"n_layer", 2},
                         {"n_head", 2},
                         {"n_embd", 10},
                         {"layer_norm_epsilon", 1e-5},
                         {"resid_pdrop", 0.2},
                         {"embd_pdrop", 0.2},
                         {"attn_pdrop", 0.2},
                         {"n_inner", nullptr},
                         {"bias", true},
                         {"position", "learned"},
                         {"norm", "layer"},
                         {"token_shift", false}};
  CHECK(json == expected);
}

TEST_CASE("checkpoint: models of other parts than GPT-2's say so, and come back") {
  SavedCheckpoint saved;
  GptConfig& config = saved.run.config;
  config.n_embd = 12;
  config.n_inner = 9;
  config.activation = Activation::kReluSquared;
  config.position = Position::kRotary;
  config.token_shift = true;
  config.tied = false;
  Gpt model(config, 9);
  std::fill_n(model.lm_head.mutable_data(), model.lm_head.size(), Scalar(0.5));
  save_checkpoint(saved.folder, writer(model, saved.run.tokenizer), saved.state,
                  AdamW(parameters(model), {}));
  const Json json = Json::parse(bytes_of(saved.folder / "config.json"));
  CHECK(json["model_type"] == "gradus");
  CHECK(json["architectures"] == Json{"Gpt"});
  CHECK(json["activation_function"] == "relu2");
  CHECK(json["n_inner"] == 9);
  const Checkpoint kept = load_checkpoint(saved.folder);
  CHECK(values_of(kept.model) == values_of(model));
  CHECK(config_to_json(kept.model.config) == config_to_json(config));
  const IndexTensor tokens = indices({{0, 1, 2, 3}});
  CHECK(kept.model(tokens).values() == model(tokens).values());
}

TEST_CASE("checkpoint: a model that another program made is read") {
  const Gpt model = load_gpt(fs::path(GRADUS_GOLDEN_DIR) / "gpt_f32");
  const Safetensors golden = load_safetensors(std::string(GRADUS_GOLDEN_DIR) + "/gpt.safetensors");
  const Tensor loss = model.loss(golden.indices.at("tokens"), golden.indices.at("targets"));
  CHECK_CLOSE(loss, golden.tensors.at("loss"), 1e-5);
}

TEST_CASE("checkpoint: GPT-2's own names, masks and tied head are let pass") {
  SavedCheckpoint saved;
  saved.edit_tensors([](auto& tensors) {
    std::map<std::string, Tensor> bare;
    for (const auto& [name, tensor] : tensors) bare[name.substr(12)] = tensor;
    bare["lm_head.weight"] = bare.at("wte.weight");
    bare["h.0.attn.bias"] = ones({1, 1, 7, 7});
    bare["h.1.attn.masked_bias"] = scalar(-1e4);
    tensors = bare;
  });
  saved.edit("config.json", [](Json& json) { json.erase("bias"); });
  fs::remove(saved.folder / "trainer.json");
  const Checkpoint kept = load_checkpoint(saved.folder);
  CHECK(values_of(kept.model) == values_of(saved.model));
  CHECK_FALSE(kept.state);
  saved.edit_tensors([](auto& tensors) { tensors["lm_head.weight"] = ones({6, 10}); });
  CHECK_REFUSES(load_checkpoint(saved.folder), "lm_head.weight differs from wte.weight");
}

TEST_CASE("find checkpoint: best and last below out_dir, or a folder by its path") {
  SavedCheckpoint saved;
  const fs::path out = saved.parent.path;
  CHECK(find_checkpoint(out, "last") == out / "last");
  CHECK(find_checkpoint("nowhere", (out / "last").string()) == out / "last");
  CHECK_REFUSES(find_checkpoint(out, "best"),
                "best: does not exist (there is last: add --checkpoint=last)");
  overwrite(out / "config.json", "{}");  // a run's checkpoints come before a model next to them
  CHECK_REFUSES(find_checkpoint(out, "best"), "(there is last");
  CHECK_REFUSES(find_checkpoint(out / "none", "best"),
                "none: does not exist (use the folder of a run");
  CHECK_REFUSES(find_checkpoint(out, "bset"), "bset: does not exist (use best, last");
  fs::rename(out / "last", out / ".last.old");  // an interrupted save may leave it here
  CHECK(find_checkpoint(out, "last") == out / ".last.old");
  CHECK(load_checkpoint(out / "last").state->step == 12);
}

TEST_CASE("find checkpoint: an out_dir may be a model's own folder") {
  const fs::path model = fs::path(GRADUS_GOLDEN_DIR) / "gpt_f32";
  CHECK(find_checkpoint(model, "best") == model);
  CHECK(find_checkpoint(model, "last") == model);
  CHECK(find_checkpoint("", model.string()) == model);
}

TEST_CASE("checkpoint: unequal dropouts are kept apart") {
  SavedCheckpoint saved;
  saved.edit("config.json", [](Json& json) {
    json["attn_pdrop"] = 0.25;
    json["embd_pdrop"] = 0;
  });
  const Checkpoint kept = load_checkpoint(saved.folder);
  CHECK(kept.model.config.dropout == Scalar(0.2));
  CHECK(kept.model.h[1].attn.attention_dropout == Scalar(0.25));
  CHECK(kept.model.h[1].attn.residual_dropout.p == Scalar(0.2));
  const Json json = Json::parse(config_to_json(kept.model.config));
  CHECK(json["attn_pdrop"] == 0.25);
  CHECK(json["embd_pdrop"] == 0.0);
  CHECK(json["resid_pdrop"] == 0.2);
}

TEST_CASE("checkpoint: the embedding's own dropout is what embeddings have") {
  GptConfig config = TinyRun().config;
  config.dropout = config.attention_dropout.emplace(0);
  const Gpt plain(config, 3);
  config.embedding_dropout = Scalar(0.5);
  const Gpt dropping(config, 3);
  const IndexTensor tokens = indices({{0, 1, 2, 3}});
  CHECK(dropping(tokens).values() == plain(tokens).values());
  const Training training(1, 1);
  CHECK(dropping(tokens).values() != plain(tokens).values());
}

TEST_CASE("checkpoint: a model in several files is read, with all checks") {
  SavedCheckpoint saved;
  const auto file = [&](const char* name) { return saved.folder / name; };
  const Safetensors whole = load_safetensors(file("model.safetensors").string());
  std::vector<NamedTensor> parts[2];
  Json index = {{"metadata", {{"total_size", 1}}}, {"weight_map", Json::object()}};
  const char* names[] = {"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"};
  for (const auto& [name, tensor] : whole.tensors) {
    const std::size_t part = index["weight_map"].size() % 2;
    parts[part].push_back({name, tensor});
    index["weight_map"][name] = names[part];
  }
  fs::remove(file("model.safetensors"));
  const auto write = [&](const Json& json) {
    for (std::size_t i : {0, 1}) save_safetensors(file(names[i]).string(), parts[i]);
    overwrite(file("model.safetensors.index.json"), json.dump());
  };
  write(index);
  CHECK(values_of(load_checkpoint(saved.folder).model) == values_of(saved.model));

  const auto refuses = [&](const auto& change, const char* message) {
    Json json = index;
    write(json);
    change(json["weight_map"]);
    overwrite(file("model.safetensors.index.json"), json.dump());
    CHECK_REFUSES(load_checkpoint(saved.folder), message);
  };
  constexpr const char* kWte = "transformer.wte.weight";
  for (const char* bad : {"../last/model.safetensors", "/etc/x.safetensors", "a\\b.safetensors",
                          "model.bin", "", ".."}) {
    refuses([&](Json& map) { map[kWte] = bad; }, "in its own folder, got ");
  }
  refuses([&](Json& map) { map[kWte] = 3; }, "must name a file for each tensor, got 3");
  refuses([&](Json& map) { map = Json::object(); }, "needs an object \"weight_map\"");
  refuses([&](Json& map) { map[kWte] = "model-00003.safetensors"; },
          "names the file \"model-00003.safetensors\", which does not exist (download it too)");
  refuses([&](Json& map) { map.erase(kWte); }, "does not list");
  refuses([&](Json& map) { map["transformer.h.7.ln_1.bias"] = names[0]; },
          "lacks the tensor transformer.h.7.ln_1.bias (the norm before a block's attention)");
  refuses([&](Json& map) { map[kWte] = map[kWte] == names[0] ? names[1] : names[0]; },
          "lacks the tensor transformer.wte.weight (the embedding of tokens)");
  refuses([&](Json&) { fs::remove(file(names[1])); }, "which does not exist");
}

TEST_CASE("checkpoint: other formats are refused with the remedy") {
  SavedCheckpoint saved;
  fs::rename(saved.folder / "model.safetensors", saved.folder / "pytorch_model.bin");
  CHECK_REFUSES(
      load_checkpoint(saved.folder),
      "pytorch_model.bin: cannot be read, as this format may run code (download model.safetensors");
  CHECK_REFUSES(load_checkpoint(saved.folder), "safe_serialization=True");
  fs::rename(saved.folder / "pytorch_model.bin", saved.folder / "ckpt.pt");
  CHECK_REFUSES(load_checkpoint(saved.folder), "ckpt.pt: is a checkpoint of nanoGPT, which cannot");
}

TEST_CASE("checkpoint: the error for a GPT that labels texts names its kind") {
  SavedCheckpoint saved;
  saved.edit_tensors([](auto& tensors) { tensors["score.weight"] = ones({2, 10}); });
  CHECK_REFUSES(load_checkpoint(saved.folder),
                "has an unexpected tensor: score.weight (the head of a GPT that labels texts");
}

TEST_CASE("checkpoint: rows that no token has are left out") {
  // The logits of existing tokens do not depend on the other rows.
  for (const bool tied : {true, false}) {
    CAPTURE(tied);
    GptConfig config = TinyRun().config;
    const BytePairTokenizer bytes(BytePairs::bytes_alone());
    config.vocab_size = 256;
    config.tied = tied;
    Gpt model(config, 5);
    if (!tied) std::ranges::copy(drawn({256, 10}, 1), model.lm_head.mutable_data());
    const auto padded_table = [](const Tensor& table) {
      return concat({table, Scalar(9) * ones({8, table.size(1)})}, 0);
    };
    GptConfig wide = config;
    wide.vocab_size = 264;
    Gpt padded_model(wide, 5);
    visit_parameters(padded_model, [&](const std::string& name, Tensor& parameter) {
      visit_parameters(model, [&](const std::string& other, Tensor& from) {
        if (name == other) {
          const bool is_wider = parameter.shape() != from.shape();
          std::ranges::copy(is_wider ? padded_table(from) : from, parameter.mutable_data());
        }
      });
    });
    const TemporaryFolder folder;
    save_gpt(folder.path, padded_model);
    save_tokenizer(bytes, folder.path);
    const Checkpoint kept = load_checkpoint(folder.path);
    CHECK(kept.model.config.vocab_size == 256);
    CHECK(values_of(kept.model) == values_of(model));
    CHECK(kept.model.wte.weight.requires_grad());
    const IndexTensor tokens = indices({{65, 1, 255}}), targets = indices({{1, 255, 3}});
    CHECK(kept.model.loss(tokens, targets).item() == model.loss(tokens, targets).item());
  }
}

TEST_CASE("checkpoint: a tokenizer that is far too small is refused all the same") {
  SavedCheckpoint saved;
  const BytePairTokenizer bytes(BytePairs::bytes_alone());
  CHECK(may_be_padded(bytes, 256, 257));
  CHECK(may_be_padded(bytes, 256, 1280));
  CHECK_FALSE(may_be_padded(bytes, 256, 1281));
  CHECK_FALSE(may_be_padded(bytes, 256, 255));
  CHECK_FALSE(may_be_padded(saved.run.tokenizer, 6, 7));  // not from another program
}

TEST_CASE("save and load: any module in one file, buffers too, all or nothing") {
  const TemporaryFolder folder;
  const fs::path file = folder.path / "norm.safetensors";
  BatchNorm norm(3);
  std::iota(norm.running_mean.mutable_data(),
            norm.running_mean.mutable_data() + norm.running_mean.size(), Scalar(5));
  norm.weight.set_requires_grad(false);
  save(std::as_const(norm), file);
  BatchNorm back(3);
  load(back, file);
  CHECK(all_values(parameters(back)) == all_values(parameters(norm)));
  CHECK(back.weight.requires_grad());  // files do not store this
  BatchNorm wider(4);
  const std::vector<Scalar> before = all_values(parameters(wider));
  CHECK_REFUSES(load(wider, file),
                "norm.safetensors: tensor weight must have the shape [4], got [3]");
  CHECK(all_values(parameters(wider)) == before);
  LayerNorm other(3);
  CHECK_REFUSES(load(other, file), "has an unexpected tensor: running_mean");
  CHECK_REFUSES(load(other, folder.path / "none.safetensors"), "none.safetensors");
}

TEST_CASE("save_gpt: a constant model is kept") {
  const TemporaryFolder folder;
  const TinyRun run;
  const Gpt gpt(run.config, 3);
  save_gpt(folder.path, gpt);
  CHECK(all_values(parameters(load_gpt(folder.path))) == all_values(parameters(gpt)));
}

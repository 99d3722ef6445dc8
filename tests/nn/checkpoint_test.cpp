#include "nn/train/checkpoint.h"

#include <limits>

#include "nn/train/checkpoint_json.h"
#include "tests/nn/saved_checkpoint.h"

using namespace gradus;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::vector<Scalar> values_of(const Gpt& model) {
  Gpt copy = model;
  return all_values(parameters(copy));
}

}  // namespace

TEST_CASE("checkpoint: everything comes back, bit for bit") {
  Saved saved;
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
  CHECK(kept.tokenizer->to_json() == saved.run.tokenizer.to_json());
  REQUIRE(kept.state);
  CHECK(kept.state->step == 12);
  CHECK(kept.state->evaluated_step == 7);
  CHECK(kept.state->best_val_loss == 0.1 + 0.2);
  CHECK(kept.state->best_step == 7);
  CHECK(kept.state->last_loss == std::nextafter(2.0, 3.0));
}

TEST_CASE("checkpoint: the optimiser comes back, with its steps") {
  Saved saved;
  Gpt model(saved.run.config);
  AdamW adamw(parameters(model), {});
  load_optimiser(saved.folder, adamw);
  CHECK(adamw.steps() == 12);
  CHECK(all_values(adamw.state()) == all_values(saved.adamw.state()));
}

TEST_CASE("checkpoint: every option of the run comes back") {
  Saved saved;
  // Each number is another than before, at the edge of its type where it can be.
  double real = 1.0 / 3;
  TrainOptions::visit(saved.state.options, [&](const char*, auto& value) {
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
  TrainOptions::visit(saved.state.options, list(before));
  TrainOptions::visit(kept.options, list(after));
  CHECK(before == after);
  CHECK(before.size() == 22);
}

TEST_CASE("checkpoint: models without biases, and runs without an evaluation yet") {
  Saved saved;
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

TEST_CASE("checkpoint: config.json says what Hugging Face's GPT-2 would") {
  const Saved saved;
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
  Saved saved;
  GptConfig& config = saved.run.config;
  config.n_embd = 12;
  config.n_inner = 9;
  config.activation = Activation::kReluSquared;
  config.position = Position::kRotary;
  config.token_shift = true;
  config.tied = false;
  Gpt model(config, 9);
  std::ranges::fill(model.lm_head, Scalar(0.5));
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
  const Gpt model = load_model(fs::path(GRADUS_GOLDEN_DIR) / "gpt_f32");
  const Safetensors golden = load_safetensors(std::string(GRADUS_GOLDEN_DIR) + "/gpt.safetensors");
  const Tensor loss = model.loss(golden.indices.at("tokens"), golden.indices.at("targets"));
  CHECK_CLOSE(loss, golden.tensors.at("loss"), 1e-5);
}

TEST_CASE("checkpoint: GPT-2's own names, masks and tied head are let pass") {
  Saved saved;
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
  Saved saved;
  const fs::path out = saved.parent.path;
  CHECK(find_checkpoint(out, "last") == out / "last");
  CHECK(find_checkpoint("nowhere", (out / "last").string()) == out / "last");
  CHECK_REFUSES(find_checkpoint(out, "best"),
                "best: does not exist (there is last: add --checkpoint=last)");
  CHECK_REFUSES(find_checkpoint(out / "none", "best"),
                "none/best: does not exist (give the --out_dir");
  CHECK_REFUSES(find_checkpoint(out, "bset"), "bset: is no checkpoint folder (give best, last");
  fs::rename(out / "last", out / ".last.old");  // where an interrupted save may leave it
  CHECK(find_checkpoint(out, "last") == out / ".last.old");
  CHECK(load_checkpoint(out / "last").state->step == 12);
}

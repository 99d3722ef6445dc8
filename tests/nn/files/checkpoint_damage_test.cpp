#include <limits>
#include <set>

#include "nn/files/gpt_files.h"
#include "nn/files/model_tensors.h"
#include "nn/files/tokenizer_files.h"
#include "nn/optim/sgd.h"
#include "nn/text/byte_tokenizer.h"
#include "tests/nn/saved_checkpoint.h"

using namespace gradus;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

}  // namespace

TEST_CASE("checkpoint: tensors that are missing, too many or of another shape are named") {
  const auto refuses = [](const auto& change, const char* message) {
    SavedCheckpoint saved;
    saved.edit_tensors(change);
    CHECK_REFUSES(load_checkpoint(saved.folder), message);
  };
  refuses([](auto& t) { t.erase("transformer.h.1.ln_2.bias"); },
          "last/model.safetensors: lacks the tensor transformer.h.1.ln_2.bias (the norm before a "
          "block's feed-forward network)");
  refuses([](auto& t) { t["transformer.h.2.ln_1.weight"] = ones({10}); },
          "has an unexpected tensor: transformer.h.2.ln_1.weight");
  refuses([](auto& t) { t["transformer.ln_f.weight"] = ones({11}); },
          "tensor transformer.ln_f.weight must have the shape [10], got [11]");
  refuses(
      [](auto& t) {
        t["transformer.h.0.attn.c_attn.weight"] = ones({30, 10});
      },
      "c_attn.weight must have the shape [10, 30], got [30, 10]");
  refuses([](auto& t) { t.clear(); }, "lacks the tensor transformer.wte.weight");
}

TEST_CASE("checkpoint: a config that is wrong, or does not belong there, is refused") {
  const auto refuses = [](const char* key, const Json& value, const char* message) {
    CAPTURE(key);
    SavedCheckpoint saved;
    saved.edit("config.json", [&](Json& json) {
      value.is_discarded() ? static_cast<void>(json.erase(key))
                           : static_cast<void>(json[key] = value);
    });
    CHECK_REFUSES(load_checkpoint(saved.folder), message);
    CHECK_REFUSES(load_checkpoint(saved.folder), "last/");
  };
  const Json absent = Json(Json::value_t::discarded);
  refuses("n_layer", absent, "config.json: the key \"n_layer\" is missing");
  refuses("n_embd", "10",
          "\"n_embd\" must be a whole number from -2147483648 to 2147483647, got \"10\"");
  refuses("n_embd", 10.5, "got 10.5");
  refuses("n_embd", nullptr, "got null");
  refuses("n_embd", 1e300, "got 1e+300");
  refuses("n_embd", std::numeric_limits<std::uint64_t>::max(), "got 18446744073709551615");
  refuses("n_head", -2, "n_head must be at least 1, got -2");
  refuses("n_head", 3, "n_embd must be a multiple of n_head");
  refuses("vocab_size", 0, "vocab_size must be at least 1, got 0");
  refuses("n_layer", 2147483647, "(the two files do not belong together)");
  refuses("n_embd", 2147483646, "too many parameters to count");
  refuses("n_positions", 2147483647, "describes a model of 214748");
  refuses("n_positions", 8, "transformer.wpe.weight must have the shape [8, 10], got [7, 10]");
  refuses("vocab_size", 7, "transformer.wte.weight must have the shape [7, 10], got [6, 10]");
  refuses("n_layer", 3, "lacks the tensor transformer.h.2.");
  refuses("n_layer", 1, "has an unexpected tensor: transformer.h.1.");
  refuses("position", "none", "has an unexpected tensor");
  refuses("bias", 1, "\"bias\" must be true or false, got 1");
  refuses("layer_norm_epsilon", 0, "\"layer_norm_epsilon\" must be above 0, got 0");
  refuses("layer_norm_epsilon", -1, "\"layer_norm_epsilon\" must be above 0, got -1");
  refuses("layer_norm_epsilon", 1e-60, "must be above 0, got 1e-60");
  for (const char* key : {"layer_norm_epsilon", "resid_pdrop", "embd_pdrop", "attn_pdrop"}) {
    refuses(key, 1e39, "must be a number between -3.40282e+38 and 3.40282e+38, got 1e+39");
    refuses(key, -1e300, "got -1e+300");
  }
  refuses("n_positions", 8.0, "must be a whole number");
  refuses("n_head", 4294967298, "must be a whole number");
  refuses("resid_pdrop", 1.5, "dropout must be in [0, 1), got 1.5");
  refuses("attn_pdrop", -0.5, "dropout must be in [0, 1), got -0.5");
  refuses("attn_pdrop", nullptr, "\"attn_pdrop\" must be a number between ");
  refuses("model_type", "gemma",
          "\"model_type\" must be \"gpt2\", \"gradus\", \"llama\", \"mistral\"");
  refuses("model_type", "llama", "\"architectures\" must be [\"LlamaForCausalLM\"] for");
  refuses("activation_function", "celu",
          "\"activation_function\" must be \"gelu_new\", \"relu2\", ");
  refuses("tie_word_embeddings", 1, "\"tie_word_embeddings\" must be true or false, got 1");
  refuses("position", 3, "\"alibi\" or \"rotary\", got 3");
  refuses("n_inner", 0, "\"n_inner\" must be null or at least 1, got 0");
  refuses("scale_attn_weights", false, "\"scale_attn_weights\" must be true, got false");
  refuses("scale_attn_weights", nullptr, "\"scale_attn_weights\" must be true, got null");
  refuses("scale_attn_by_inverse_layer_idx", true, "must be false, got true");
  refuses("add_cross_attention", true, "\"add_cross_attention\" must be false, got true");
  refuses("is_encoder_decoder", true, "must be false, got true");
  refuses("quantization_config", {{"bits", 4}}, "must be null, got {\"bits\":4}");
  refuses("rope_scaling", {{"factor", 2.0}}, "\"rope_scaling\" must be null");
  refuses("sliding_window", 4096, "\"sliding_window\" must be null, got 4096");
  refuses("pruned_heads", {{"0", {1}}}, "\"pruned_heads\" must be {}");
}

TEST_CASE("checkpoint: keys of Hugging Face's GPT-2 that change no result are let pass") {
  SavedCheckpoint saved;
  saved.edit("config.json", [](Json& json) {
    json.update({{"quantization_config", nullptr},
                 {"add_cross_attention", false},
                 {"pruned_heads", Json::object()},
                 {"reorder_and_upcast_attn", true},  // the same products, in float32
                 {"rope_scaling", nullptr},
                 {"is_encoder_decoder", false},
                 {"use_cache", false},
                 {"initializer_range", 0.02},
                 {"summary_type", "cls_index"},
                 {"chunk_size_feed_forward", 2},
                 {"task_specific_params", {{"text-generation", {{"do_sample", true}}}}}});
    json.erase("layer_norm_epsilon");
  });
  const Gpt model = load_gpt(saved.folder);
  CHECK(model.config.layer_norm_epsilon == Scalar(1e-5));
}

TEST_CASE("checkpoint: other names of an activation mean the same function") {
  for (const auto& alias : {std::pair("gelu_pytorch_tanh", Activation::kGelu),
                            {"gelu_python_tanh", Activation::kGelu},
                            {"gelu_fast", Activation::kGelu},
                            {"gelu_accurate", Activation::kGelu},
                            {"gelu_python", Activation::kGeluErf},
                            {"swish", Activation::kSilu}}) {
    CAPTURE(alias.first);
    SavedCheckpoint saved;
    saved.edit("config.json", [&](Json& json) { json["activation_function"] = alias.first; });
    CHECK(load_gpt(saved.folder).config.activation == alias.second);
  }
}

TEST_CASE("checkpoint: a weight or moment that is not finite is named") {
  SavedCheckpoint saved;
  const auto put = [&](const char* file, const std::string& name, Index place, double value) {
    Safetensors kept = load_safetensors((saved.folder / file).string());
    kept.tensors.at(name).mutable_data()[place] = static_cast<Scalar>(value);
    save_safetensors((saved.folder / file).string(), named(kept.tensors), kept.metadata);
  };
  const char* weights = "model.safetensors";
  put(weights, "transformer.h.1.mlp.c_fc.bias", 3, NAN);
  CHECK_REFUSES(
      load_gpt(saved.folder),
      "model.safetensors: transformer.h.1.mlp.c_fc.bias contains NaN at [3] (the file is");
  put(weights, "transformer.h.1.mlp.c_fc.bias", 3, 0);
  put(weights, "transformer.h.0.attn.c_attn.weight", 65, -INFINITY);
  CHECK_REFUSES(load_gpt(saved.folder),
                "transformer.h.0.attn.c_attn.weight contains -inf at [2, 5]");
  saved.save();
  saved.edit_tensors([](auto& tensors) {  // unused
    tensors["h.0.attn.masked_bias"] = scalar(-INFINITY);
  });
  CHECK_NOTHROW(load_gpt(saved.folder));

  AdamW adamw(parameters(saved.model), {});
  const char* moments = "optimizer.safetensors";
  put(moments, "exp_avg.transformer.wpe.weight", 11, INFINITY);
  CHECK_REFUSES(load_optimiser(saved.folder, adamw),
                "optimizer.safetensors: exp_avg.transformer.wpe.weight contains inf at [1, 1]");
  CHECK(adamw.steps() == 0);  // no value was read from the file
}

TEST_CASE("checkpoint: half precision that overflowed is named") {
  SavedCheckpoint saved;
  const std::string header = R"({"x":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})";
  const std::string length{static_cast<char>(header.size()), 0, 0, 0, 0, 0, 0, 0};
  overwrite(saved.folder / "model.safetensors",
            length + header + "\x01\x3c" + std::string("\0\x7c", 2));
  CHECK_REFUSES(ModelTensors(saved.folder / "model.safetensors").read("x"),
                "model.safetensors: x contains inf at [1]");
}

TEST_CASE("checkpoint: JSON nested without end is refused before it takes the stack") {
  constexpr std::size_t kLevels = 100'000;
  const std::string nested = std::string(kLevels, '[') + std::string(kLevels, ']');
  const auto refuses = [&](const char* file, const char* key) {
    CAPTURE(file);
    CAPTURE(key);
    SavedCheckpoint saved;
    const std::string bytes = bytes_of(saved.folder / file);
    Json json = Json::parse(bytes);
    json[key] = "<here>";
    std::string changed = json.dump();
    changed.replace(changed.find("\"<here>\""), 8, nested);
    overwrite(saved.folder / file, changed);
    CHECK_REFUSES(load_checkpoint(saved.folder), "nested deeper than 64 levels");
    CHECK_REFUSES(load_checkpoint(saved.folder), file);
  };
  refuses("config.json", "model_type");
  refuses("config.json", "n_layer");
  refuses("config.json", "resid_pdrop");
  refuses("config.json", "of no meaning");
  refuses("trainer.json", "step");
  refuses("gradus_tokenizer.json", "type");
  // A bracket in a string is not a level.
  SavedCheckpoint saved;
  saved.edit("config.json", [](Json& json) { json["note"] = "\"" + std::string(200, '['); });
  CHECK_NOTHROW(load_checkpoint(saved.folder));
}

TEST_CASE("checkpoint: a small config that asks for gigabytes of positions is refused") {
  for (const char* position : {"rotary", "sinusoidal", "alibi"}) {
    CAPTURE(position);
    SavedCheckpoint saved;
    saved.edit("config.json", [&](Json& json) {
      json["position"] = position;
      json["model_type"] = "gradus";
      json["n_head"] = 1;
      json["n_positions"] = 2147483647;
    });
    CHECK_REFUSES(load_checkpoint(saved.folder), "describes a model of 21474836470 numbers");
  }
}

TEST_CASE("checkpoint: a state that is wrong is refused") {
  const auto refuses = [](const std::function<void(Json&)>& change, const char* message) {
    SavedCheckpoint saved;
    saved.edit("trainer.json", change);
    CHECK_REFUSES(load_checkpoint(saved.folder), message);
  };
  refuses([](Json& j) { j.erase("step"); }, "trainer.json: the key \"step\" is missing");
  refuses([](Json& j) { j["step"] = -1; }, "\"step\" must be from 0 to 4000000000, got -1");
  refuses([](Json& j) { j["step"] = 1e10; }, "\"step\" must be a whole number");
  refuses([](Json& j) { j["evaluated_step"] = 13; },
          "\"evaluated_step\" must be from -1 to \"step\", got 13");
  refuses([](Json& j) { j["evaluated_step"] = std::numeric_limits<std::int64_t>::min(); },
          "\"evaluated_step\" must be from -1 to");
  refuses([](Json& j) { j["best_step"] = 13; }, "\"best_step\" must be from 0 to \"step\", got 13");
  refuses([](Json& j) { j["best_val_loss"] = "low"; }, "\"best_val_loss\" must be a number");
  refuses([](Json& j) { j.erase("options"); }, "the object \"options\" is missing");
  refuses([](Json& j) { j["options"].erase("seed"); }, "the key \"seed\" is missing");
  refuses([](Json& j) { j["options"]["seed"] = -1; },
          "\"seed\" must be a whole number from 0 to 18446744073709551615, got -1");
  refuses([](Json& j) { j["options"]["learning_rate"] = nullptr; },  // NaN is written as null
          "\"learning_rate\" must be a number between ");
  refuses([](Json& j) { j["options"]["batch_size"] = 0; },
          "--batch_size must be at least 1, got 0");
  refuses([](Json& j) { j["options"]["dtype"] = "float16"; },
          "\"dtype\" must be \"float32\" or \"bfloat16\", got \"float16\"");
  refuses([](Json& j) { j = Json::array(); }, "is not a JSON object");
}

TEST_CASE("checkpoint: an old run without dtype and local steps gets the defaults") {
  SavedCheckpoint saved;
  for (const char* key : {"dtype", "local_steps"}) {
    saved.edit("trainer.json", [key](Json& j) { CHECK(j["options"].erase(key) == 1); });
  }
  const TrainOptions options = load_checkpoint(saved.folder).state->options;
  CHECK(options.dtype == ProductPrecision::kFull);
  CHECK(options.local_steps == 0);
}

TEST_CASE("checkpoint: files that are missing, cut short or full of rubbish are named") {
  const std::vector<const char*> needed = {"config.json", "model.safetensors",
                                           "gradus_tokenizer.json"};
  for (const char* file : needed) {
    CAPTURE(file);
    SavedCheckpoint saved;
    fs::remove(saved.folder / file);
    CHECK_REFUSES(load_checkpoint(saved.folder), file);
  }
  for (const char* file :
       {"config.json", "trainer.json", "gradus_tokenizer.json", "model.safetensors"}) {
    CAPTURE(file);
    SavedCheckpoint saved;
    const std::string whole = bytes_of(saved.folder / file);
    const std::set<std::size_t> lengths = {0, 1, whole.size() / 3, whole.size() / 2,
                                           whole.size() - 3};
    for (const std::size_t length : lengths) {
      CAPTURE(length);
      overwrite(saved.folder / file, whole.substr(0, length));
      CHECK_REFUSES(load_checkpoint(saved.folder), file);
    }
    overwrite(saved.folder / file, std::string(3000, '['));
    CHECK_REFUSES(load_checkpoint(saved.folder), file);
    overwrite(saved.folder / file, "{\"n_layer\":1e999}");
    CHECK_REFUSES(load_checkpoint(saved.folder), file);
  }
}

TEST_CASE("checkpoint: a tokenizer of another size than the model's is refused") {
  SavedCheckpoint saved;
  overwrite(saved.folder / "tokenizer.json", tokenizer_to_json(ByteTokenizer()));
  CHECK_REFUSES(load_checkpoint(saved.folder),
                "tokenizer.json: has 256 tokens, but config.json has vocab_size 6");
}

TEST_CASE("checkpoint: an optimiser's file that does not fit is refused") {
  SavedCheckpoint saved;
  Gpt model(saved.run.config);
  Sgd sgd(parameters(model), {.momentum = 0.5});
  CHECK_REFUSES(load_optimiser(saved.folder, sgd),
                "optimizer.safetensors: lacks the tensor momentum_buffer.transformer.wte.weight");
  AdamW adamw(parameters(model), {});
  const std::string file = (saved.folder / "optimizer.safetensors").string();
  const Safetensors kept = load_safetensors(file);
  for (const char* steps : {"", "-1", "1e3", "12x", "9999999999999999999"}) {
    save_safetensors(file, named(kept.tensors), {{"steps", steps}});
    CHECK_REFUSES(load_optimiser(saved.folder, adamw), "lacks the number of steps");
  }
  fs::remove(file);
  CHECK_REFUSES(load_optimiser(saved.folder, adamw), "optimizer.safetensors: does not exist");
}

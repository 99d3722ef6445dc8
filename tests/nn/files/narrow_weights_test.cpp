// GPTs with weights in bfloat16 or int8: loading, logits, memory, refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "autograd/graph.h"
#include "autograd/kernels/allocator.h"
#include "autograd/ops/shape.h"
#include "nn/files/gpt_files.h"
#include "nn/files/safetensors.h"
#include "nn/generate/inference_session.h"
#include "nn/generate/sampler.h"
#include "nn/layers/decoder.h"
#include "nn/layers/lora.h"
#include "nn/mode.h"
#include "nn/optim/adamw.h"
#include "nn/text/byte_pair_tokenizer.h"
#include "nn/train/exact_loss.h"
#include "tests/nn/saved_checkpoint.h"

using namespace gradus;

namespace {

namespace fs = std::filesystem;

constexpr WeightType kBothTypes[] = {WeightType::kBfloat16, WeightType::kInt8};

/// GPT-2, with biases and without, and all kinds of Llamas.
std::vector<std::pair<std::string, GptConfig>> all_configs() {
  auto configs = decoder_configs();
  GptConfig gpt2 = tiny_gpt_config();
  gpt2.vocab_size = 11;
  gpt2.n_positions = 13;
  gpt2.n_embd = 34;  // a group of 32, and one of 2
  configs.emplace_back("gpt2", gpt2);
  gpt2.bias = false;
  configs.emplace_back("gpt2 without biases", gpt2);
  gpt2.tied = false;
  gpt2.token_shift = true;
  configs.emplace_back("gpt2 with other parts", gpt2);
  return configs;
}

/// The rows that a narrow matrix would have: Linear's weights are transposed.
Tensor narrowed(const Tensor& x, WeightType type, Role role) {
  if (role == Role::kOuter) return NarrowMatrix(type, x).widened();
  return transpose(NarrowMatrix(type, transpose(x)).widened());
}

/// A copy of a model with all matrices rounded, except the positions.
Gpt with_rounded_weights(const Gpt& model, WeightType type) {
  const NoGrad no_grad;
  Gpt copy = clone(model);
  visit_parameters(copy, [&](const std::string& name, Tensor& parameter, Role role) {
    if (parameter.rank() == 2 && !name.starts_with("transformer.wpe.")) {
      parameter = narrowed(parameter, type, role);
    }
  });
  return copy;
}

/// Gives the layers of a narrow module the weights of another, and rounds the other's in the same
/// way.
template <class Module>
void share_weights(Module& full, Module& narrow) {
  std::vector<Linear*> layers;
  visit_linears(full, [&](Linear& layer) { layers.push_back(&layer); });
  auto next = layers.begin();
  visit_linears(narrow, [&](Linear& layer) {
    Linear& from = **next++;
    layer.narrow.set_rows(0, transpose(from.weight));
    layer.bias = from.bias;
    from.weight = transpose(layer.narrow.widened());
  });
}

double largest_of(const Tensor& x) {
  double most = 0;
  for (const Scalar value : x) most = std::max(most, std::abs(double{value}));
  return most;
}

const IndexTensor& some_tokens() {
  static const IndexTensor tokens =
      indices({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1}, {5, 5, 3, 0, 9, 2, 1, 7, 7, 8, 4, 3, 6}});
  return tokens;
}

}  // namespace

TEST_CASE("narrow weights: the logits equal those of a model with rounded weights") {
  for (const auto& config : all_configs()) {
    CAPTURE(config.first);
    const Gpt model = drawn_gpt(config.second);
    const TemporaryFolder folder;
    save_gpt(folder.path, model);
    for (const WeightType type : kBothTypes) {
      const Gpt narrow = load_gpt(folder.path, type);
      CHECK(narrow.weights() == type);
      const Tensor got = narrow(some_tokens());
      const Tensor wanted = with_rounded_weights(model, type)(some_tokens());
      CHECK(largest_of(got - wanted) < 1e-5 * largest_of(wanted));
      CHECK(got.values() != model(some_tokens()).values());
      CHECK(!got.requires_grad());
    }
  }
}

TEST_CASE("narrow weights: BF16 in a file keeps its bits in bfloat16") {
  for (const char* name : {"llama_biases", "qwen2", "qwen3"}) {
    CAPTURE(name);
    const fs::path folder = fs::path(GRADUS_GOLDEN_DIR) / "llama_hf" / name;
    const Gpt full = load_gpt(folder), narrow = load_gpt(folder, WeightType::kBfloat16);
    CHECK(all_values(parameters(with_rounded_weights(full, WeightType::kBfloat16))) ==
          all_values(parameters(full)));
    CHECK(narrow.wte.narrow.widened().values() == full.wte.weight.values());
    for (std::size_t i = 0; i < full.h.size(); ++i) {
      const Tensor weight = full.h[i].attn.c_attn.weight.detach();
      CHECK(narrow.h[i].attn.c_attn.narrow.widened().values() == transpose(weight).values());
      const Tensor other = full.h[i].mlp.c_fc.weight.detach();
      CHECK(narrow.h[i].mlp.c_fc.narrow.widened().values() == transpose(other).values());
    }
  }
}

TEST_CASE("narrow weights: a session gives the model's logits, and a row the same bits as alone") {
  for (const auto& config : all_configs()) {
    if (config.first == "dynamic") continue;  // turns all keys anew
    CAPTURE(config.first);
    const TemporaryFolder folder;
    save_gpt(folder.path, drawn_gpt(config.second));
    for (const WeightType type : kBothTypes) {
      // A session's steps round inputs of int8 products to 16 bits; the model's whole texts do not.
      const double tolerance = type == WeightType::kInt8 ? 2e-3 : 1e-5;
      const Gpt model = load_gpt(folder.path, type);
      const Tensor all = model(some_tokens());
      InferenceSession both(model, 2), alone(model);
      for (Index t = 0; t < 13; ++t) {
        const Tensor got = both.step(columns(some_tokens(), t, t + 1));
        CHECK(largest_of(got - reshape(slice(all, 1, t, t + 1), {2, -1})) <
              tolerance * largest_of(all));
        const IndexTensor token = indices({{some_tokens().data()[t]}});
        CHECK(alone.step(token).values() == got[0].values());
      }
    }
  }
}

TEST_CASE("narrow weights: int8 changes the loss of a trained model by less than 0.01") {
  TinyRun run;
  run.config.dropout = 0;
  Gpt model(run.config, 3);
  AdamW optimiser(parameters(model), {});
  const auto tokens = run.corpus.tokens(Split::kTrain);
  const auto loss_of = [&](const Gpt& any) { return exact_loss(any, tokens, 16).loss; };
  const double before = loss_of(model);
  for (std::size_t step = 0; step < 300; ++step) {
    const std::size_t first = step * 7 % (tokens.size() - 8);
    const IndexTensor inputs({1, 7}, tokens.subspan(first, 7));
    const IndexTensor targets({1, 7}, tokens.subspan(first + 1, 7));
    optimiser.zero_grad();
    backward(model.loss(inputs, targets));
    optimiser.step(Scalar(0.01));
  }
  const double trained = loss_of(model);
  CHECK(trained < before - 0.5);
  const TemporaryFolder folder;
  save_gpt(folder.path, model);
  for (const WeightType type : kBothTypes) {
    const double narrow = loss_of(load_gpt(folder.path, type));
    CHECK(narrow != trained);
    CHECK(std::abs(narrow - trained) < 0.01);
  }
}

TEST_CASE("narrow weights: loading needs memory for the model and one tensor") {
  GptConfig gpt2{.vocab_size = 500, .n_positions = 64, .n_layer = 8, .n_head = 4, .n_embd = 128};
  GptConfig llama = decoder_configs()[0].second;
  llama.vocab_size = 500;
  llama.n_layer = 8;
  llama.n_embd = 128;
  llama.n_inner = 512;
  for (const GptConfig& config : {gpt2, llama}) {
    const TemporaryFolder folder;
    save_gpt(folder.path, Gpt(config, 1));
    const auto in_floats = static_cast<std::ptrdiff_t>(parameter_count(config) * sizeof(Scalar));
    const auto largest_tensor = static_cast<std::ptrdiff_t>(128 * 1024 * sizeof(Scalar));
    for (const WeightType type : {WeightType::kFloat32, WeightType::kBfloat16, WeightType::kInt8}) {
      reset_peak_memory();
      const std::ptrdiff_t before = allocator_stats().bytes_in_use;
      const Gpt model = load_gpt(folder.path, type);
      const std::ptrdiff_t kept = allocator_stats().bytes_in_use - before;
      const std::ptrdiff_t peak = allocator_stats().peak_bytes_in_use - before;
      CAPTURE(in_floats);
      CAPTURE(kept);
      CAPTURE(peak);
      const double share = type == WeightType::kFloat32    ? 1
                           : type == WeightType::kBfloat16 ? 0.5
                                                           : 0.27;
      CHECK(static_cast<double>(kept) < share * 1.15 * static_cast<double>(in_floats));
      CHECK(peak - kept < 3 * largest_tensor);  // as it is read, its transpose, and both joined
    }
  }
}

TEST_CASE("narrow weights: rows that no token has are left out") {
  const BytePairTokenizer bytes(BytePairs::bytes_alone());
  for (const bool tied : {true, false}) {
    GptConfig config = tiny_gpt_config();
    config.vocab_size = 264;
    config.tied = tied;
    const TemporaryFolder folder;
    save_gpt(folder.path, drawn_gpt(config));
    save_tokenizer(bytes, folder.path);
    const Checkpoint kept = load_checkpoint(folder.path, WeightType::kInt8);
    CHECK(kept.model.config.vocab_size == 256);
    const Tensor logits = kept.model(indices({{65, 1, 255}}));
    CHECK(logits.shape() == Shape{1, 3, 256});
    const Tensor all = load_gpt(folder.path, WeightType::kInt8)(indices({{65, 1, 255}}));
    CHECK(logits.values() == slice(all, -1, 0, 256).values());
  }
}

TEST_CASE("narrow weights: training and saving are refused") {
  const TemporaryFolder folder, other;
  save_gpt(folder.path, drawn_gpt(tiny_gpt_config()));
  const Gpt model = load_gpt(folder.path, WeightType::kInt8);
  const IndexTensor tokens = indices({{0, 1, 2}});
  CHECK_FAILS(save_gpt(other.path, model),
              "save_gpt: cannot save weights in int8 (load the model with weights in float32)");
  CHECK(fs::is_empty(other.path));
  CHECK_FAILS(AdamW(parameters(model), {}), "collects no gradient");
  CHECK(trainable(parameters(model)).empty());
  Gpt adapted = load_gpt(folder.path, WeightType::kInt8);
  KeySequence keys(1);
  CHECK_FAILS(add_lora(adapted, {.rank = 2}, keys),
              "lora: the layer's weight must be in float32, got int8 (load the model with weights "
              "in float32)");
  CHECK_FAILS(backward(model.loss(tokens, tokens)), "backward: the output of shape []");
  const Training training(1, 0);
  CHECK_FAILS(model.loss(tokens, tokens),
              "gpt: weights in int8 cannot be trained (load the model with weights in float32)");
}

TEST_CASE("narrow weights: layers of encoders and decoders take them") {
  const NoGrad no_grad;
  const LayerOptions options{.d_model = 8, .num_heads = 2, .dropout = 0};
  KeySequence keys(1), narrow_keys(1, WeightType::kInt8);
  Encoder encoder(options, 2, keys), narrow_encoder(options, 2, narrow_keys);
  Decoder decoder(options, 2, keys), narrow_decoder(options, 2, narrow_keys);
  share_weights(encoder, narrow_encoder);
  share_weights(decoder, narrow_decoder);
  const Tensor x = drawn({2, 5, 8}, 1), y = encoder(x), z = decoder(x, y);
  CHECK(largest_of(narrow_encoder(x) - y) < 1e-5 * largest_of(y));
  CHECK(largest_of(narrow_decoder(x, y) - z) < 1e-5 * largest_of(z));
}

TEST_CASE("narrow weights: a damaged file is refused as in float32") {
  SavedCheckpoint saved;
  saved.edit_tensors([](auto& tensors) {
    tensors.at("transformer.h.0.attn.c_attn.weight").mutable_data()[65] = kNaN;
  });
  CHECK_REFUSES(load_gpt(saved.folder, WeightType::kInt8),
                "transformer.h.0.attn.c_attn.weight contains NaN at [2, 5]");
  saved.save();
  saved.edit_tensors([](auto& tensors) { tensors.erase("transformer.h.1.mlp.c_fc.weight"); });
  CHECK_REFUSES(load_gpt(saved.folder, WeightType::kBfloat16),
                "lacks the tensor transformer.h.1.mlp.c_fc.weight");
}

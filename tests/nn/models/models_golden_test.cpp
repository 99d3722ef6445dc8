// Layers and models against PyTorch: tests/golden/models_reference.py computed the expected
// results.
#include <algorithm>
#include <cmath>

#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/shape.h"
#include "nn/files/safetensors.h"
#include "nn/models/bert.h"
#include "nn/models/transformer.h"
#include "nn/models/vision_transformer.h"
#include "tests/autograd/expect.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

constexpr double kValues = kIsDouble ? 1e-9 : 1e-5, kGradients = kIsDouble ? 1e-8 : 1e-4;
constexpr Index kChannels = 6, kInner = 7;
constexpr int kHeads = 2, kLayers = 2;

const Safetensors& golden_models() {
  static const Safetensors file =
      load_safetensors(std::string(GRADUS_GOLDEN_DIR) + "/models.safetensors");
  return file;
}

const Tensor& stored(const std::string& name) { return golden_models().tensors.at(name); }
const IndexTensor& stored_indices(const std::string& name) {
  return golden_models().indices.at(name);
}

/// Copies the case's parameters into the module. Both must have the same names and shapes.
template <class Module>
void load(const std::string& name, Module& module) {
  std::size_t stored_parameters = 0;
  for (const auto& [key, tensor] : golden_models().tensors) {
    stored_parameters += key.starts_with(name + "/param/");
  }
  for (const NamedTensor& named : trainable(parameters(module))) {
    CAPTURE(named.name);
    const Tensor kept = stored(name + "/param/" + named.name);
    REQUIRE(kept.shape() == named.tensor.shape());
    std::ranges::copy(kept, named.tensor.mutable_data());
    --stored_parameters;
  }
  REQUIRE(stored_parameters == 0);
}

/// Compares `forward(inputs)` and all gradients with the case's. Gradients are compared relative to
/// the largest in their tensor, or to 0.1: a key's bias has no effect, so its gradient is only
/// rounding.
template <class Module, class Forward>
void check_case(const std::string& name, Module& module, Forward forward) {
  CAPTURE(name);
  load(name, module);
  Tensors inputs;
  for (int i = 0; golden_models().tensors.contains(text(name, "/in", i)); ++i) {
    inputs.push_back(stored(text(name, "/in", i)).clone().set_requires_grad());
  }
  const Tensor y = forward(inputs);
  CHECK_CLOSE(y, stored(name + "/out"), kValues);
  const std::vector<NamedTensor> list = trainable(parameters(module));
  Tensors leaves = inputs;
  for (const NamedTensor& named : list) leaves.push_back(named.tensor);
  const Tensors gradients = grad({y}, leaves, {.gradients = {stored(name + "/dy")}});
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const std::string which =
        i < inputs.size() ? text("gin", i) : "grad/" + list[i - inputs.size()].name;
    CAPTURE(which);
    const Tensor expected = stored(name + "/" + which);
    Scalar largest = Scalar(0.1);
    for (const Scalar x : expected) largest = std::max(largest, std::abs(x));
    CHECK_CLOSE(gradients[i] / largest, expected / largest, kGradients);
  }
}

LayerOptions options(NormPlace place, Activation activation) {
  return {.d_model = kChannels,
          .num_heads = kHeads,
          .d_ff = kInner,
          .dropout = 0,
          .activation = activation,
          .norm_place = place,
          .position = Position::kNone};
}

/// The second of two texts is three tokens long.
IndexTensor source_mask() { return padding_mask(indices({{1, 1, 1, 1, 1}, {1, 1, 1, 0, 0}}), 0); }

struct AttentionOnly {
  MultiHeadAttention attention;
  void fields(auto&& f) { f("attention", attention); }
};

AttentionOnly attention_only() {
  KeySequence keys(0);
  return {MultiHeadAttention(kChannels, kHeads, keys, {})};
}

}  // namespace

TEST_CASE("models: multi-head self-attention under both masks is nn.MultiheadAttention's") {
  AttentionOnly module = attention_only();
  check_case("mha_self", module, [&](const Tensors& x) {
    return module.attention(x[0], x[0], {.mask = source_mask(), .causal = true});
  });
  const AttentionRecord record;
  const Tensor x = stored("mha_self/in0");
  module.attention(x, x, {.mask = source_mask(), .causal = true});
  REQUIRE(record.weights().size() == 1);
  CHECK_CLOSE(record.weights()[0], stored("mha_self/weights"), kValues);
}

TEST_CASE("models: cross-attention is nn.MultiheadAttention's") {
  AttentionOnly module = attention_only();
  check_case("mha_cross", module, [&](const Tensors& x) {
    return module.attention(x[0], x[1], {.mask = source_mask()});
  });
}

TEST_CASE(
    "models: encoder and decoder are nn.TransformerEncoder's and Decoder's, pre- and post-norm") {
  for (const NormPlace place : {NormPlace::kPre, NormPlace::kPost}) {
    const std::string suffix = place == NormPlace::kPre ? "_pre" : "_post";
    KeySequence keys(0);
    Encoder encoder(options(place, Activation::kGeluErf), kLayers, keys);
    check_case("encoder" + suffix, encoder,
               [&](const Tensors& x) { return encoder(x[0], source_mask()); });
    Decoder decoder(options(place, Activation::kRelu), kLayers, keys);
    check_case("decoder" + suffix, decoder,
               [&](const Tensors& x) { return decoder(x[0], x[1], IndexTensor(), source_mask()); });
  }
}

TEST_CASE("models: the transformer is nn.Transformer with embeddings and sinusoids") {
  LayerOptions layer = options(NormPlace::kPre, Activation::kRelu);
  layer.position = Position::kSinusoidal;
  Transformer model({.src_vocab = 11, .trg_vocab = 13, .n_layer = kLayers, .layer = layer});
  const IndexTensor src = stored_indices("transformer/src");
  check_case("transformer", model, [&](const Tensors&) {
    return model(src, stored_indices("transformer/trg"), padding_mask(src, 0));
  });
}

TEST_CASE("models: batch norm is nn.BatchNorm1d, in training and in use") {
  BatchNorm norm(kChannels);
  {
    const Training training(1, 0);
    check_case("batch_norm", norm, [&](const Tensors& x) { return norm(x[0]); });
  }
  CHECK_CLOSE(norm.running_mean, stored("batch_norm/running_mean"), kValues);
  CHECK_CLOSE(norm.running_var, stored("batch_norm/running_var"), kValues);
  CHECK_CLOSE(norm(stored("batch_norm/in0")), stored("batch_norm/in_use"), kValues);
}

TEST_CASE("models: BERT's words, labels and loss equal its formulas, under its names") {
  BertConfig config{.vocab_size = 11, .n_layer = kLayers, .n_labels = 3};
  config.layer.d_model = kChannels;
  config.layer.num_heads = kHeads;
  config.layer.d_ff = kInner;
  config.layer.dropout = 0;
  config.layer.max_length = 5;
  CHECK(config.is_bert());
  Bert bert(config);
  const IndexTensor tokens = stored_indices("bert/tokens");
  check_case("bert", bert, [&](const Tensors&) {
    const IndexTensor mask = padding_mask(tokens, 0);
    const IndexTensor segments = stored_indices("bert/segments");
    const Tensor features = bert.features(tokens, mask, segments);
    const Tensor loss = bert.masked_loss(tokens, stored_indices("bert/targets"), mask, segments);
    return concat({reshape(bert.word_logits(features), {-1}),
                   reshape(bert.sequence_logits(features), {-1}), reshape(loss, {1})},
                  0);
  });
}

TEST_CASE("models: the vision transformer is a convolution, a class token and an encoder") {
  VisionTransformer model({.height = 6,
                           .width = 6,
                           .patch = 3,
                           .n_labels = 4,
                           .n_layer = kLayers,
                           .layer = {.d_model = kChannels,
                                     .num_heads = kHeads,
                                     .d_ff = kInner,
                                     .dropout = 0,
                                     .activation = Activation::kGeluErf,
                                     .position = Position::kLearned}});
  check_case("vision_transformer", model, [&](const Tensors& x) { return model(x[0]); });
}

TEST_CASE("models: T5's buckets and ALiBi's rates equal their papers'") {
  for (const bool both_ways : {true, false}) {
    const IndexTensor expected =
        stored_indices(both_ways ? "positions/t5_both_ways" : "positions/t5_causal");
    const IndexTensor buckets = distance_buckets(201, 201, both_ways);
    for (Index distance = -200; distance <= 200; ++distance) {
      const Index t = distance < 0 ? 200 : 0;
      CAPTURE(distance);
      CHECK(buckets.data()[t * 201 + t + distance] == expected.data()[distance + 200]);
    }
  }
  for (const int heads : {1, 4, 6, 8, 12}) {
    CHECK_CLOSE(alibi_slopes(heads), stored(text("positions/alibi", heads)));
  }
}

// Properties that hold for any parameters: causality, padding, order, heads, caches.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/shape.h"
#include "nn/generate/inference_session.h"
#include "nn/models/classifier.h"
#include "nn/models/transformer.h"
#include "nn/models/vision_transformer.h"
#include "nn/names.h"
#include "tests/autograd/expect.h"
#include "tests/nn/tiny_gpt.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

IndexTensor drawn_tokens(const Shape& shape, Index vocabulary, std::uint64_t seed) {
  IndexTensor tokens(shape);
  for (Index i = 0; i < tokens.size(); ++i) {
    tokens.mutable_data()[i] =
        static_cast<std::int32_t>(uniform_index({.seed = seed}, i, vocabulary));
  }
  return tokens;
}

/// Small random sizes for each round, with C a multiple of 2 H.
struct Sizes {
  Index batch, time, source, channels;
  int heads;
  explicit Sizes(std::uint64_t round) {
    auto draw = [&, i = 0](Index n) mutable { return 1 + uniform_index({.seed = round}, i++, n); };
    batch = draw(3), time = draw(7) + 1, source = draw(7) + 1, heads = static_cast<int>(draw(3));
    channels = 2 * heads * draw(3);
  }
};

LayerOptions options(const Sizes& s, NormPlace place = NormPlace::kPre) {
  return {.d_model = s.channels,
          .num_heads = s.heads,
          .d_ff = 5,
          .dropout = 0,
          .norm_place = place,
          .max_length = 9};
}

GptConfig gpt_config() {
  return {
      .vocab_size = 11, .n_positions = 9, .n_layer = 2, .n_head = 3, .n_embd = 12, .dropout = 0};
}

/// Draws parameters that start as 0, since zeros would hide their effect.
template <class Module>
void draw_zeros(Module& module) {
  std::uint32_t place = 0;
  visit_parameters(module, [&](const std::string&, Tensor& parameter) {
    if (std::ranges::all_of(parameter, [](Scalar x) { return x == 0; })) {
      std::ranges::copy(drawn(parameter.shape(), 500 + place++), parameter.mutable_data());
    }
  });
}

}  // namespace

TEST_CASE("properties: a changed future token changes no earlier output, bit for bit") {
  for (std::uint64_t round = 0; round < 6; ++round) {
    const Sizes s(round);
    CAPTURE(round);
    const Transformer model({.src_vocab = 7, .trg_vocab = 9, .n_layer = 2, .layer = options(s)},
                            round);
    const IndexTensor src = drawn_tokens({s.batch, s.source}, 7, 1);
    const IndexTensor trg = drawn_tokens({s.batch, s.time}, 9, 2),
                      changed(trg.shape(), trg.values());
    for (Index b = 0; b < s.batch; ++b) {
      std::int32_t& last = changed.mutable_data()[b * s.time + s.time - 1];
      last = (last + 1) % 9;
    }
    const Tensor before = slice(model(src, trg), 1, 0, s.time - 1);
    CHECK(slice(model(src, changed), 1, 0, s.time - 1).values() == before.values());
  }
}

TEST_CASE("properties: padding changes nothing, in encoder, decoder and classifier") {
  for (std::uint64_t round = 0; round < 6; ++round) {
    const Sizes s(round);
    CAPTURE(round);
    for (const NormPlace place : {NormPlace::kPre, NormPlace::kPost}) {
      const Transformer model(
          {.src_vocab = 7, .trg_vocab = 9, .n_layer = 1, .layer = options(s, place)}, round);
      const IndexTensor src = drawn_tokens({1, s.source}, 6, 1),
                        trg = drawn_tokens({1, s.time}, 9, 2);
      IndexTensor padded(Shape{1, s.source + 1});  // with token 6 as padding
      std::ranges::copy(src, padded.mutable_data());
      padded.mutable_data()[s.source] = 6;
      CHECK_CLOSE(model(padded, trg, padding_mask(padded, 6)),
                  model(src, trg, padding_mask(src, 6)), kSameMaths);
      const SequenceClassifier classifier(
          {.vocab_size = 7, .n_labels = 3, .n_layer = 1, .layer = options(s, place)});
      CHECK_CLOSE(classifier(padded, 6), classifier(src, 6), kSameMaths);
    }
  }
}

TEST_CASE("properties: multi-head attention is the sum of its heads alone") {
  for (std::uint64_t round = 0; round < 6; ++round) {
    const Sizes s(round);
    CAPTURE(round);
    KeySequence keys(round);
    const Index key_dim = 2, value_dim = 3, out = 5;
    const MultiHeadAttention all(
        s.channels, s.heads, keys,
        {.key_dim = key_dim, .value_dim = value_dim, .output_shape = out, .source = 4});
    CHECK(all.query.weight.shape() == Shape{s.channels, s.heads * key_dim});
    CHECK(all.value.weight.shape() == Shape{4, s.heads * value_dim});
    const Tensor x = drawn({s.batch, s.time, s.channels}, 1),
                 source = drawn({s.batch, s.source, 4}, 2);
    Tensor sum_of_heads = all.output.bias;
    for (Index h = 0; h < s.heads; ++h) {
      MultiHeadAttention one(
          s.channels, 1, keys,
          {.key_dim = key_dim, .value_dim = value_dim, .output_shape = out, .source = 4});
      const auto part = [h](const Linear& from, Index width) {
        Linear to;
        to.weight = slice(from.weight, 1, h * width, (h + 1) * width);
        to.bias = slice(from.bias, 0, h * width, (h + 1) * width);
        return to;
      };
      one.query = part(all.query, key_dim);
      one.key = part(all.key, key_dim);
      one.value = part(all.value, value_dim);
      one.output.weight = slice(all.output.weight, 0, h * value_dim, (h + 1) * value_dim);
      one.output.bias = Tensor();
      sum_of_heads = sum_of_heads + one(x, source);
    }
    CHECK_CLOSE(all(x, source), sum_of_heads, kSameMaths);
  }
}

TEST_CASE(
    "properties: a place that may see nothing gives the output's bias, and no NaN flows back") {
  KeySequence keys(4);
  MultiHeadAttention attention(6, 2, keys, {});
  Tensor x = drawn({1, 3, 6}, 1).set_requires_grad();
  const IndexTensor mask = indices({{{{1, 0, 0}, {0, 0, 0}, {1, 1, 1}}}});
  const Tensor y = attention(x, x, {.mask = mask});
  CHECK(slice(y, 1, 1, 2).values() == attention.output.bias.values());
  backward(sum(exp(y)));
  for (const Scalar g : x.grad()) CHECK(std::isfinite(g));
  const AttentionRecord record;
  attention(x, x, {.mask = mask});
  CHECK(slice(record.weights()[0], 2, 1, 2).values() == Values(6, 0));
}

TEST_CASE("properties: the weights of every layer are recorded, in order, and sum to one") {
  const Gpt gpt(gpt_config(), 2);
  const Transformer model(7, 9, 12, 2, 3);
  const IndexTensor tokens = drawn_tokens({2, 5}, 7, 3);
  const AttentionRecord record;
  gpt(tokens);
  CHECK(record.weights().size() == 2);
  model(tokens, drawn_tokens({2, 4}, 9, 4));
  REQUIRE(record.weights().size() == 2 + 2 + 4);
  CHECK(record.weights()[0].shape() == Shape{2, 3, 5, 5});
  CHECK(record.weights()[5].shape() == Shape{2, 3, 4, 5});  // cross-attention
  for (const Tensor& weights : record.weights()) {
    CHECK_CLOSE(sum(weights, {-1}), ones(weights.shape().without(3)), kSameMaths);
  }
}

TEST_CASE(
    "properties: a GPT of any parts counts its parameters, sees no future, and reads on from its "
    "cache") {
  const auto check = [](const GptConfig& config) {
    CAPTURE(std::string(name_of(config.position)));
    CAPTURE(std::string(name_of(config.activation)));
    Gpt gpt(config, 3);
    CHECK(count(parameters(gpt)) == parameter_count(config));
    draw_zeros(gpt);
    const IndexTensor tokens = drawn_tokens({2, 6}, 11, 5),
                      changed(tokens.shape(), tokens.values());
    changed.mutable_data()[5] = (changed.data()[5] + 1) % 11;
    const Tensor logits = gpt(tokens);
    CHECK(slice(gpt(changed), 1, 0, 5).values() == slice(logits, 1, 0, 5).values());
    InferenceSession reader(gpt, 2);
    reader.step(columns(tokens, 0, 4));
    reader.step(columns(tokens, 4, 5));
    CHECK_CLOSE(reader.step(columns(tokens, 5, 6)), reshape(slice(logits, 1, 5, 6), {2, 11}),
                10 * kSameMaths);
  };
  for (std::size_t i = 0; i < names_of(Position{}).size(); ++i) {
    GptConfig config = gpt_config();
    config.position = static_cast<Position>(i);
    if (config.position != Position::kUnit) check(config);
  }
  for (std::size_t i = 0; i < names_of(Activation{}).size(); ++i) {
    GptConfig config = gpt_config();
    config.activation = static_cast<Activation>(i);
    config.norm = NormKind::kRms;
    config.bias = i % 2 == 0;
    config.tied = i % 3 == 0;
    check(config);
  }
  GptConfig config = gpt_config();
  config.norm = NormKind::kBatch;
  CHECK_FAILS(Gpt{config}, "batch norm would let each position use later tokens");
}

#ifdef GRADUS_DOUBLE
TEST_CASE(
    "properties: gradients of a gated feed-forward network and of batch norm equal finite "
    "differences") {
  for (const Activation activation :
       {Activation::kGlu, Activation::kReGlu, Activation::kGeGlu, Activation::kSwiGlu}) {
    CAPTURE(std::string(name_of(activation)));
    check_gradient([=](const auto& x) { return activate(x[0], activation); }, {{3, 10}});
  }
  const BatchNorm norm(4);
  const Training training(1, 0);
  check_gradient([&](const auto& x) { return norm(x[0]); }, {{5, 3, 4}});
}
#endif

TEST_CASE("properties: patches are rows of the image's tiles") {
  Tensor image = reshape(arange(24), {1, 4, 6});
  const Tensor patches = patchify(image, 2);
  CHECK(patches.shape() == Shape{1, 6, 4});
  CHECK(slice(patches, 1, 1, 2).values() == Values{2, 3, 8, 9});
  CHECK(slice(patches, 1, 3, 4).values() == Values{12, 13, 18, 19});
  CHECK_FAILS(patchify(image, 4), "divide into patches of 4");
}

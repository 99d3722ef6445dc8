#include "nn/models/gpt.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/random.h"
#include "nn/files/safetensors.h"
#include "nn/optim/adamw.h"
#include "nn/optim/sgd.h"
#include "tests/autograd/expect.h"
#include "tests/nn/tiny_gpt.h"

using namespace gradus;

namespace {

/// PyTorch's results: see tests/golden/README.md.
const Safetensors& golden_run() {
  static const Safetensors file =
      load_safetensors(std::string(GRADUS_GOLDEN_DIR) + "/gpt.safetensors");
  return file;
}

/// Relative tolerances for the logits and the loss, for gradients, and for losses in training.
const double kLogits = kIsDouble ? 1e-9 : 1e-5;
const double kSlopes = kIsDouble ? 1e-9 : 1e-4;
const double kLosses = kIsDouble ? 1e-9 : 1e-4;

Gpt golden_gpt() {
  Gpt gpt({.vocab_size = 11,
           .n_positions = 7,
           .n_layer = 2,
           .n_head = 3,
           .n_embd = 12,
           .dropout = 0,
           .bias = true});
  visit_parameters(gpt, [](const std::string& name, Tensor& parameter) {
    const Tensor& kept = golden_run().tensors.at("param/" + name);
    REQUIRE(kept.shape() == parameter.shape());
    std::copy(kept.begin(), kept.end(), parameter.mutable_data());
  });
  return gpt;
}

/// Batch i of the ten in the fixture.
IndexTensor batch(const char* name, std::size_t i) {
  const std::vector<std::int32_t> all = golden_run().indices.at(name).values();
  return IndexTensor({2, 7}, std::span(all).subspan(14 * i, 14));
}

/// The losses of ten steps, each before its update, with gradients clipped to norm 1.
Tensor training_losses(Gpt& gpt, Optimiser& optimiser, Scalar rate) {
  Tensor losses({10});
  for (std::size_t i = 0; i < 10; ++i) {
    optimiser.zero_grad();
    const Tensor loss = gpt.loss(batch("train_tokens", i), batch("train_targets", i));
    losses.mutable_data()[i] = loss.item();
    backward(loss);
    optimiser.step(rate, clip_scale(optimiser.gradient_norm(), 1));
  }
  return losses;
}

/// The root of the mean square.
double spread(const Tensor& x) {
  double squares = 0;
  for (const Scalar value : x) squares += double{value} * value;
  return std::sqrt(squares / static_cast<double>(x.size()));
}

}  // namespace

TEST_CASE("gpt: the fixture holds this model's parameters, by their names, and no others") {
  Gpt gpt = golden_gpt();
  const auto is_parameter = [](const auto& entry) { return entry.first.starts_with("param/"); };
  CHECK(std::ranges::count_if(golden_run().tensors, is_parameter) == std::ssize(parameters(gpt)));
}

TEST_CASE("gpt: logits and loss are PyTorch's") {
  const Gpt gpt = golden_gpt();
  const IndexTensor& tokens = golden_run().indices.at("tokens");
  CHECK_CLOSE(gpt(tokens), golden_run().tensors.at("logits"), kLogits);
  CHECK_CLOSE(gpt.loss(tokens, golden_run().indices.at("targets")), golden_run().tensors.at("loss"),
              kLogits);
}

TEST_CASE("gpt: every parameter's gradient is PyTorch's") {
  Gpt gpt = golden_gpt();
  backward(gpt.loss(golden_run().indices.at("tokens"), golden_run().indices.at("targets")));
  for (const NamedTensor& named : parameters(gpt)) {
    CAPTURE(named.name);
    const Tensor& expected = golden_run().tensors.at("grad/" + named.name);
    // Relative to the parameter's largest gradient, since single elements may be rounding noise
    // around 0.
    double largest = 0;
    for (const Scalar g : expected) largest = std::max(largest, std::abs(double{g}));
    REQUIRE(largest > 0);
    CHECK_CLOSE(named.tensor.grad() / Scalar(largest), expected / Scalar(largest), kSlopes);
  }
}

TEST_CASE("gpt: ten steps of AdamW have PyTorch's losses") {
  Gpt gpt = golden_gpt();
  AdamW adamw(parameters(gpt), {.beta1 = 0.9, .beta2 = 0.95, .weight_decay = 0.1});
  CHECK_CLOSE(training_losses(gpt, adamw, Scalar(1e-2)), golden_run().tensors.at("losses"),
              kLosses);
}

TEST_CASE("gpt: ten steps of SGD with momentum have PyTorch's losses") {
  Gpt gpt = golden_gpt();
  Sgd sgd(parameters(gpt), {.momentum = 0.9});
  CHECK_CLOSE(training_losses(gpt, sgd, Scalar(0.1)), golden_run().tensors.at("losses_sgd"),
              kLosses);
}

TEST_CASE("gpt: the formula counts all parameters") {
  for (const bool bias : {false, true}) {
    const GptConfig config{
        .vocab_size = 13, .n_positions = 5, .n_layer = 3, .n_head = 2, .n_embd = 14, .bias = bias};
    Gpt gpt(config);
    CHECK(parameter_count(config) == count(parameters(gpt)));
  }
  CHECK(parameter_count({.vocab_size = 50257,
                         .n_positions = 1024,
                         .n_layer = 12,
                         .n_head = 12,
                         .n_embd = 768,
                         .bias = true}) == 124'439'808);  // GPT-2's published size
  CHECK_FAILS(parameter_count({.vocab_size = 11, .n_layer = 1 << 30, .n_embd = Index{1} << 31}),
              "too many parameters to count");
}

TEST_CASE("gpt: the formula counts all parameters, with any parts") {
  for (const bool tied : {false, true}) {
    for (const Position position : {Position::kLearned, Position::kRotary}) {
      const GptConfig config{.vocab_size = 13,
                             .n_positions = 5,
                             .n_layer = 3,
                             .n_head = 2,
                             .n_embd = 12,
                             .bias = true,
                             .n_inner = 17,
                             .position = position,
                             .token_shift = true,
                             .tied = tied};
      Gpt gpt(config);
      CHECK(parameter_count(config) == count(parameters(gpt)));
      CHECK(gpt.h[1].mlp.c_fc.weight.shape() == Shape{12, 17});
      CHECK(gpt.wpe.weight.defined() == (position == Position::kLearned));
      CHECK(gpt.lm_head.defined() == !tied);
    }
  }
}

TEST_CASE("gpt: the formula counts the parameters of each decoder") {
  for (const auto& decoder : decoder_configs()) {
    CAPTURE(decoder.first);
    const GptConfig& config = decoder.second;
    CHECK(parameter_count(config) == count(parameters(Gpt(config))));
    CHECK(!config.is_gpt2());
  }
  CHECK(parameter_count({.vocab_size = 32000,
                         .n_positions = 2048,
                         .n_layer = 22,
                         .n_head = 32,
                         .n_embd = 2048,
                         .n_inner = 5632,
                         .activation = Activation::kSwiGlu,
                         .position = Position::kRotary,
                         .norm = NormKind::kRms,
                         .tied = false,
                         .n_kv_head = 4}) == 1'100'048'384);  // TinyLlama's published size
}

TEST_CASE("gpt: operations of the products, worked by hand") {
  // Two tokens per text, C = 4, V = 3. Each token needs 12 C^2 = 192 in the block, 12 for the
  // logits, and 12 for its attention to 1.5 positions on average, twice; each is a multiplication
  // and an addition.
  CHECK(forward_flops({.vocab_size = 3, .n_layer = 1, .n_embd = 4}, 5, 2) ==
        2 * 10 * (192 + 12 + 12));
  CHECK(forward_flops({.vocab_size = 3, .n_layer = 1, .n_embd = 4, .n_inner = 5}, 5, 2) ==
        2 * 10 * (64 + 40 + 12 + 12));
  // Two heads of 3 channels, one kv head: 4 x 12 and 6 x 4 in the block, and attention by 6
  // channels.
  CHECK(forward_flops({.vocab_size = 3,
                       .n_layer = 1,
                       .n_head = 2,
                       .n_embd = 4,
                       .n_inner = 5,
                       .n_kv_head = 1,
                       .head_width = 3},
                      5, 2) == 2 * 10 * (48 + 24 + 40 + 12 + 18));
}

TEST_CASE("gpt: starts as GPT-2 does") {
  Gpt gpt(
      {.vocab_size = 97, .n_positions = 31, .n_layer = 8, .n_head = 2, .n_embd = 50, .bias = true},
      1);
  for (const NamedTensor& named : parameters(gpt)) {
    const Tensor& parameter = named.tensor;
    CAPTURE(named.name);
    const bool residual = named.name.ends_with("c_proj.weight");
    const double expected = parameter.rank() == 2            ? (residual ? 0.005 : 0.02)
                            : named.name.ends_with("weight") ? 1
                                                             : 0;
    CHECK(spread(parameter) == doctest::Approx(expected).epsilon(0.1));
    CHECK(parameter.requires_grad());
  }
}

TEST_CASE("gpt: an untied output layer starts as other layers do, with exceptions") {
  Gpt gpt({.vocab_size = 97,
           .n_positions = 31,
           .n_layer = 2,
           .n_head = 2,
           .n_embd = 50,
           .bias = true,
           .tied = false},
          1);
  const std::map<std::string, double> spreads = {
      {"transformer.wte.weight", 1},
      {"transformer.wpe.weight", 0.1},
      {"transformer.h.1.attn.c_attn.weight", std::sqrt(1.0 / 50 / 3)},
      {"transformer.h.1.mlp.c_proj.weight", std::sqrt(1.0 / 200 / 3)},
      {"transformer.h.1.mlp.c_proj.bias", 0},
      {"transformer.h.1.ln_2.weight", 1},
      {"transformer.ln_f.weight", 4},
      {"lm_head.weight", 0}};
  for (const NamedTensor& named : parameters(gpt)) {
    CAPTURE(named.name);
    if (const auto expected = spreads.find(named.name); expected != spreads.end()) {
      CHECK(spread(named.tensor) == doctest::Approx(expected->second).epsilon(0.1));
    }
    CHECK(named.tensor.requires_grad());
  }
  const Tensor loss = gpt.loss(indices({{0, 1, 2}}), indices({{1, 2, 96}}));
  CHECK_CLOSE(loss, scalar(Scalar(std::log(97))), 1e-6);
}

TEST_CASE("gpt: untrained, it knows nothing: the loss is about ln V") {
  const Gpt gpt(tiny_gpt_config(), 3);
  const double loss = gpt.loss(indices({{0, 1, 2, 3, 4, 5}}), indices({{1, 2, 3, 4, 5, 0}})).item();
  CHECK(loss == doctest::Approx(std::log(tiny_gpt_config().vocab_size)).epsilon(0.02));
}

TEST_CASE("gpt: the seed decides the parameters, and no two of them are equal") {
  Gpt a(tiny_gpt_config(), 1), again(tiny_gpt_config(), 1), b(tiny_gpt_config(), 2);
  CHECK(all_values(parameters(a)) == all_values(parameters(again)));
  CHECK(all_values(parameters(a)) != all_values(parameters(b)));
  CHECK(a.h[0].attn.c_attn.weight.values() != a.h[1].attn.c_attn.weight.values());
}

TEST_CASE("gpt: logits do not depend on later tokens, to the last bit") {
  const Gpt gpt(tiny_gpt_config(), 3);
  const std::vector<Scalar> before = gpt(indices({{0, 1, 2, 3, 4, 5, 0}})).values();
  const std::vector<Scalar> after = gpt(indices({{0, 1, 2, 5, 1, 0, 3}})).values();
  const auto seen = static_cast<std::ptrdiff_t>(3 * tiny_gpt_config().vocab_size);
  CHECK(std::equal(before.begin(), before.begin() + seen, after.begin()));
  CHECK(before != after);
}

TEST_CASE("gpt: nor do they with the other parts, and each part makes a difference") {
  GptConfig config{.vocab_size = 7, .n_positions = 7, .n_layer = 2, .n_head = 2, .n_embd = 16};
  const std::vector<Scalar> plain = Gpt(config, 3)(indices({{0, 1, 2, 3, 4, 5, 6}})).values();
  for (int part = 0; part < 3; ++part) {
    CAPTURE(part);
    GptConfig with = config;
    with.activation = part == 0 ? Activation::kReluSquared : config.activation;
    with.position = part == 1 ? Position::kRotary : config.position;
    with.token_shift = part == 2;
    const Gpt gpt(with, 3);
    const std::vector<Scalar> before = gpt(indices({{0, 1, 2, 3, 4, 5, 6}})).values();
    const std::vector<Scalar> after = gpt(indices({{0, 1, 2, 6, 5, 4, 3}})).values();
    CHECK(std::equal(before.begin(), before.begin() + 3 * 7, after.begin()));
    CHECK(before != after);
    CHECK(before != plain);
  }
}

TEST_CASE("gpt: no decoder's logits depend on later tokens, and each option makes a difference") {
  const IndexTensor tokens = indices({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1}});
  const IndexTensor changed = indices({{0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 7, 3}});
  std::map<Values, std::string> seen;
  for (const auto& decoder : decoder_configs()) {
    CAPTURE(decoder.first);
    const GptConfig& config = decoder.second;
    const Gpt gpt = drawn_gpt(config);
    const Values before = gpt(tokens).values(), after = gpt(changed).values();
    CHECK(std::equal(before.begin(), before.begin() + 9 * 11, after.begin()));
    CHECK(before != after);
    CHECK(seen.emplace(before, decoder.first).second);
  }
}

TEST_CASE("gpt: a window hides tokens that are further away, layer by layer") {
  GptConfig config = decoder_configs()[0].second;
  config.window = 3;  // with two layers, a position depends on the 4 before it
  const IndexTensor tokens = indices({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1}});
  IndexTensor changed(tokens.shape(), tokens.values());
  changed.mutable_data()[2] = 9;
  const auto differs_at = [&](const GptConfig& with) {
    const Gpt gpt = drawn_gpt(with);
    const Values a = gpt(tokens).values(), b = gpt(changed).values();
    std::vector<Index> positions;
    for (Index t = 0; t < 13; ++t) {
      if (!std::equal(a.begin() + t * 11, a.begin() + (t + 1) * 11, b.begin() + t * 11)) {
        positions.push_back(t);
      }
    }
    return positions;
  };
  CHECK(differs_at(config) == std::vector<Index>{2, 3, 4, 5, 6});
  config.window_from = 1;  // the first layer sees all positions
  CHECK(differs_at(config).size() == 11);
}

TEST_CASE("gpt: dropout acts in training only, and the step decides what it drops") {
  const Gpt gpt(tiny_gpt_config(), 3);
  const IndexTensor tokens = indices({{0, 1, 2, 3}});
  const auto at_step = [&](std::uint32_t step) {
    const Training training(1, step);
    return gpt(tokens).values();
  };
  CHECK(at_step(1) == at_step(1));
  CHECK(at_step(1) != at_step(2));
  CHECK(gpt(tokens).values() == gpt(tokens).values());
  CHECK(at_step(1) != gpt(tokens).values());
}

TEST_CASE("gpt: invalid sizes, and texts it cannot take, are refused") {
  const GptConfig good{.vocab_size = 5, .n_positions = 4, .n_layer = 1, .n_head = 2, .n_embd = 6};
  const auto with = [&](auto change) {
    GptConfig config = good;
    change(config);
    return config;
  };
  CHECK_FAILS(with([](auto& c) { c.vocab_size = 0; }).validate(), "vocab_size must be at least 1");
  CHECK_FAILS(with([](auto& c) { c.n_positions = -4; }).validate(),
              "n_positions must be at least 1, got -4");
  CHECK_FAILS(with([](auto& c) { c.n_layer = 0; }).validate(), "n_layer must be at least 1");
  CHECK_FAILS(with([](auto& c) { c.n_head = 0; }).validate(), "n_head must be at least 1");
  CHECK_FAILS(with([](auto& c) { c.n_embd = 0; }).validate(), "n_embd must be at least 1");
  CHECK_FAILS(with([](auto& c) { c.n_embd = 7; }).validate(), "(choose for example n_embd 8)");
  CHECK_FAILS(with([](auto& c) { c.n_inner = -1; }).validate(), "n_inner must not be negative");
  CHECK_FAILS(with([](auto& c) { c.position = Position::kRotary; }).validate(),
              "rotary positions need an even number of channels in each head, got 3");
  CHECK_FAILS(with([](auto& c) { c.dropout = 1; }).validate(), "dropout must be in [0, 1), got 1");
  CHECK_FAILS(with([](auto& c) { c.n_kv_head = 3; }).validate(),
              "n_head must be a multiple of n_kv_head, got 2 and 3");
  CHECK_FAILS(with([](auto& c) { c.n_kv_head = -1; }).validate(), "got 2 and -1");
  CHECK_FAILS(with([](auto& c) { c.head_width = -2; }).validate(), "head_width must be from 0");
  CHECK_FAILS(with([](auto& c) { c.window = -1; }).validate(),
              "must not be negative, got -1 and 0");
  CHECK_FAILS(with([](auto& c) { c.position = Position::kRotary, c.head_width = 3; }).validate(),
              "an even number of channels in each head, got 3");
  CHECK_FAILS(with([](auto& c) {
                c.position = Position::kRotary, c.head_width = 4, c.rotary.base = 0;
              }).validate(),
              "rotary: the base must be above 1 and finite, got 0");
  const Gpt gpt(good);
  CHECK_FAILS(gpt(indices({{0, 1, 2, 3, 4}})), "T at most 4, got [1, 5]");
  CHECK_FAILS(gpt(indices({0, 1})), "needs tokens [B, T]");
  CHECK_FAILS(gpt(indices({{0, 5}})), "5");
}

#ifdef GRADUS_DOUBLE

namespace {

/// Compares the gradient of every parameter with finite differences. The model's parameters change.
void check_parameter_gradients(Gpt& gpt, const IndexTensor& tokens, const IndexTensor& targets) {
  std::vector<Tensor> values;
  for (const NamedTensor& named : parameters(gpt)) values.push_back(named.tensor.detach());
  const TensorFunction loss_at = [&](const std::vector<Tensor>& x) {
    std::size_t i = 0;
    visit_parameters(gpt, [&](const std::string&, Tensor& parameter) { parameter = x[i++]; });
    return gpt.loss(tokens, targets);
  };
  // relu_squared's second derivative jumps: a small step keeps the differences on one side of it.
  check_gradient_at(loss_at, values, {.tolerance = 1e-6, .step = 1e-5});
}

}  // namespace

TEST_CASE("gpt: every parameter's gradient in each decoder equals finite differences") {
  const IndexTensor tokens = indices({{0, 1, 4, 2, 3, 1, 7}}),
                    targets = indices({{1, 4, 2, 3, 1, 7, 0}});
  for (auto decoder : decoder_configs()) {
    CAPTURE(decoder.first);
    GptConfig& config = decoder.second;
    config.n_embd = 8;
    config.n_inner = 3;
    config.head_width = 4;
    Gpt gpt = drawn_gpt(config);
    check_parameter_gradients(gpt, tokens, targets);
  }
}

TEST_CASE("gpt: every parameter's gradient, with the other parts, equals finite differences") {
  Gpt gpt({.vocab_size = 5,
           .n_positions = 6,
           .n_layer = 2,
           .n_head = 2,
           .n_embd = 8,
           .dropout = 0,
           .bias = true,
           .n_inner = 6,
           .activation = Activation::kReluSquared,
           .position = Position::kRotary,
           .token_shift = true,
           .tied = false},
          2);
  std::ranges::copy(normal(gpt.lm_head.shape(), {.seed = 4}), gpt.lm_head.mutable_data());
  const IndexTensor tokens = indices({{0, 1, 4, 2, 3, 1}}), targets = indices({{1, 4, 2, 3, 1, 0}});
  check_parameter_gradients(gpt, tokens, targets);
}

#endif

// Compares the reader's GPT on the reader's engine with gradus::Gpt: the same parameters, batch and
// steps.
#include <functional>
#include <numbers>

#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/heads.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/rotary.h"
#include "compare.h"
#include "nn/layers/lora.h"
#include "nn/layers/position.h"
#include "nn/models/gpt.h"
#include "nn/models/vision_transformer.h"
#include "nn/optim/adamw.h"
#include "nn/tasks/preference_task.h"

namespace {

using gradus::Index;

/// The learning rates of the 20 steps in run_models.cpp.
double rate_of(int step) {
  const double done = std::max(0, step - 5) / 15.0;
  return step < 5 ? 3e-3 * (step + 1) / 6 : (1 + std::cos(std::numbers::pi * done)) / 2 * 3e-3;
}

/// The losses of 20 steps, as in run_models.cpp.
template <class Model>
std::vector<double> losses_of(const Model& model, const std::function<gradus::Tensor()>& loss_of) {
  gradus::AdamW optimiser(gradus::parameters(model), {});
  std::vector<double> losses;
  for (int step = 0; step < 20; ++step) {
    optimiser.zero_grad();
    const gradus::Tensor loss = loss_of();
    gradus::backward(loss);
    optimiser.step(static_cast<gradus::Scalar>(rate_of(step)),
                   gradus::clip_scale(optimiser.gradient_norm(), 1));
    losses.push_back(loss.item());
  }
  return losses;
}

/// The numbers of the parameter or of the three parameters of pocket for gradus's parameter `name`.
std::vector<gradus::Scalar> numbers_of(const std::vector<Result>& parameters, std::string name,
                                       const gradus::Shape& shape) {
  const auto find = [&](const std::string& wanted) {
    for (const Result& x : parameters) {
      if (x.name == wanted) return x.numbers;
    }
    FAIL("pocket has no " << wanted);
    return std::vector<double>();
  };
  name = name.substr(std::string("transformer.").size());
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = name.find(from);
    if (at != std::string::npos) name.replace(at, from.size(), to);
    return at != std::string::npos;
  };
  if (replace("attn.c_proj", "attn.output") || !replace("c_attn", "query")) {
    const auto found = find(name);
    return {found.begin(), found.end()};
  }
  const std::vector<double> q = find(name);
  replace("query", "key");
  const std::vector<double> k = find(name);
  replace("attn.key", "attn.value");
  const std::vector<double> v = find(name);
  std::vector<gradus::Scalar> packed;
  const Index width = shape[-1] / 3;
  for (Index row = 0; row < shape.size() / shape[-1]; ++row) {
    for (const auto* part : {&q, &k, &v}) {
      packed.insert(packed.end(), part->begin() + row * width, part->begin() + (row + 1) * width);
    }
  }
  return packed;
}

}  // namespace

TEST_CASE("the reader's GPT learns as the library's does") {
  const std::vector<Result> pockets = pocket::run_gpt_alone();
  gradus::Gpt model({.vocab_size = 11,
                     .n_positions = 7,
                     .n_layer = 2,
                     .n_head = 2,
                     .n_embd = 8,
                     .dropout = 0,
                     .bias = true});
  gradus::visit_parameters(model, [&](const std::string& name, gradus::Tensor& x) {
    const auto numbers = numbers_of(pockets, name, x.shape());
    x = gradus::tensor(x.shape(), numbers).set_requires_grad();
  });
  const auto tokens = [&](const Result& result) {
    const std::vector<std::int32_t> numbers(result.numbers.begin(), result.numbers.end());
    return gradus::IndexTensor({3, 5}, numbers);
  };
  const Result& losses = pockets.back();
  REQUIRE(losses.name == "losses");
  const auto inputs = tokens(pockets[pockets.size() - 3]),
             targets = tokens(pockets[pockets.size() - 2]);
  const auto own = losses_of(model, [&] { return model.loss(inputs, targets); });
  compare({losses}, {{"losses", own}}, 1e-5);
}

TEST_CASE("the reader's Llama is the library's") {
  const std::vector<Result> pockets = pocket::run_llama_alone();
  const auto find = [&](const std::string& name) -> const std::vector<double>& {
    for (const Result& x : pockets) {
      if (x.name == name) return x.numbers;
    }
    FAIL("pocket has no " << name);
    return pockets[0].numbers;
  };
  gradus::Gpt model({.vocab_size = 11,
                     .n_positions = 7,
                     .n_layer = 2,
                     .n_head = 4,
                     .n_embd = 8,
                     .dropout = 0,
                     .n_inner = 21,
                     .activation = gradus::Activation::kSwiGlu,
                     .position = gradus::Position::kRotary,
                     .norm = gradus::NormKind::kRms,
                     .tied = false,
                     .n_kv_head = 2});
  // gradus keeps queries, keys and values in one matrix, and gate and up, side by side.
  const std::vector<std::pair<std::string, std::vector<std::string>>> names = {
      {"transformer.wte", {"embed_tokens"}},
      {"transformer.ln_f", {"norm"}},
      {"transformer.h", {"layers"}},
      {"ln_1", {"input_layernorm"}},
      {"ln_2", {"post_attention_layernorm"}},
      {"attn.c_attn", {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}},
      {"attn.c_proj", {"self_attn.o_proj"}},
      {"mlp.c_fc", {"mlp.gate_proj", "mlp.up_proj"}},
      {"mlp.c_proj", {"mlp.down_proj"}}};
  gradus::visit_parameters(model, [&](const std::string& name, gradus::Tensor& x) {
    CAPTURE(name);
    std::vector<std::string> ours{name};
    for (const auto& [from, to] : names) {
      if (ours[0].find(from) == std::string::npos) continue;
      const std::string before = ours[0];
      ours.clear();
      for (const std::string& part : to) {
        ours.push_back(std::string(before).replace(before.find(from), from.size(), part));
      }
    }
    const Index rows = x.rank() == 2 ? x.size(0) : 1;
    std::vector<gradus::Scalar> numbers;
    for (Index row = 0; row < rows; ++row) {
      for (const std::string& part : ours) {
        const std::vector<double>& all = find(part);
        const auto width = std::ssize(all) / rows;
        numbers.insert(numbers.end(), all.begin() + row * width, all.begin() + (row + 1) * width);
      }
    }
    x = gradus::tensor(x.shape(), numbers).set_requires_grad();
  });
  const auto tokens = [&](const std::string& name) {
    const std::vector<double>& numbers = find(name);
    return gradus::IndexTensor({3, 5}, std::vector<std::int32_t>(numbers.begin(), numbers.end()));
  };
  const gradus::IndexTensor inputs = tokens("inputs"), targets = tokens("targets");
  const gradus::Tensor logits = model(inputs);
  const auto own = losses_of(model, [&] { return model.loss(inputs, targets); });
  compare({{"logits", find("logits")}, {"losses", find("losses")}},
          {{"logits", {logits.begin(), logits.end()}}, {"losses", own}}, 1e-5);
}

// Both have the same parameters in the same order.
TEST_CASE("the reader's vision transformer is the library's") {
  std::vector<Result> pockets = pocket::run_vision_alone();
  gradus::VisionConfig config{.height = 6, .width = 9, .patch = 3, .n_labels = 5, .n_layer = 2};
  config.layer.d_model = 8, config.layer.num_heads = 2, config.layer.dropout = 0;
  gradus::VisionTransformer model(config, 3);
  std::size_t given = 0;
  gradus::visit_parameters(model, [&](const std::string&, gradus::Tensor& x) {
    REQUIRE(pockets.at(given).name == "parameter");
    const std::vector<double>& numbers = pockets[given++].numbers;
    x = gradus::tensor(x.shape(), {numbers.begin(), numbers.end()}).set_requires_grad();
  });
  pockets.erase(pockets.begin(), pockets.begin() + static_cast<std::ptrdiff_t>(given));
  std::vector<Result> expected;
  const auto add = [&](const auto& x) {
    expected.push_back({pockets.at(expected.size()).name, {x.begin(), x.end()}});
  };
  const gradus::Tensor images = gradus::normal({4, 6, 9}, {.seed = 2});
  const gradus::IndexTensor labels = gradus::indices({3, 0, 4, 1});
  const auto loss = [&] { return gradus::cross_entropy(model(images), labels); };
  add(gradus::patchify(images, 3));
  add(model(images));
  gradus::backward(loss());
  for (const gradus::NamedTensor& x : gradus::parameters(model)) add(x.tensor.grad());
  add(losses_of(model, loss));
  add(std::vector{gradus::count(gradus::parameters(model))});
  compare(pockets, expected, 1e-5);
}

TEST_CASE("positions, heads and attention are the library's") {
  std::vector<Result> expected;
  const auto add = [&](const char* name, const auto& x) {
    expected.push_back({name, {x.begin(), x.end()}});
  };
  add("sinusoidal", gradus::sinusoidal_table(7, 6));
  add("alibi", gradus::alibi_bias(4, 3, 5));
  add("both ways", gradus::distance_buckets(150, 150, true));
  add("one way", gradus::distance_buckets(3, 150, false));
  const gradus::Tensor x = gradus::normal({2, 3, 6}, {.seed = 1});
  const gradus::Tensor q = gradus::normal({2, 3, 5, 7}, {.seed = 2});
  add("rotary", gradus::rotary(x, gradus::rotary_table(9, 6), 4));
  add("frequencies", gradus::rotary_table(9, 6, 100));
  add("heads", gradus::split_heads(x, 2));
  const gradus::AttentionOptions options{.mask = gradus::indices({{1, 0, 1, 1, 1}}),
                                         .causal = true};
  add("attention", gradus::scaled_dot_product_attention(q, q, q, options));
  compare(pocket::run_tables(), expected, 2e-6);
}

TEST_CASE("a low-rank pair and the loss of preferences are the library's") {
  std::vector<Result> expected;
  const auto add = [&](const char* name, const gradus::Tensor& x) {
    expected.push_back({name, {x.begin(), x.end()}});
  };
  gradus::KeySequence keys(1);
  gradus::Linear layer(5, 4, keys, false);
  gradus::add_lora(layer, {.rank = 2, .alpha = 3}, keys);
  layer.weight = gradus::normal({5, 4}, {.seed = 1});
  layer.lora_a = gradus::normal({5, 2}, {.seed = 2}).set_requires_grad();
  layer.lora_b = gradus::normal({2, 4}, {.seed = 3}).set_requires_grad();
  const gradus::Tensor y = layer(gradus::normal({2, 3, 5}, {.seed = 4}));
  gradus::backward(gradus::sum(y * y));
  add("beside", y), add("merged", y);
  add("a", layer.lora_a.grad()), add("b", layer.lora_b.grad());

  gradus::Tensor log_p = gradus::normal({3, 2}, {.seed = 5}).set_requires_grad();
  const gradus::Tensor reference = gradus::normal({3, 2}, {.seed = 6});
  const gradus::Tensor loss = gradus::preference_loss(log_p, reference, gradus::Scalar(0.3));
  gradus::backward(loss);
  add("preferences", loss), add("gradient", log_p.grad());
  compare(pocket::run_changes(), expected, 2e-6);
}

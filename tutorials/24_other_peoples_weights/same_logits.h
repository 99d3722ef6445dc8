/// @file
/// Chapter 24: the GPT's logits beside PyTorch's: the same, with one detail changed, and where a
/// difference begins.
#pragma once

#include <span>

#include "tutorials/24_other_peoples_weights/bert_folder.h"
#include "tutorials/24_other_peoples_weights/filled.h"

// [logits]
inline void logits(const Judge& judge) {
  const Part part("logits");
  const NoGrad no_grad;
  const Gpt model = read_gpt2(kGpt);
  const Tensor ours =
      model(IndexTensor({1, 64}, {judge.tokens.begin(), judge.tokens.begin() + 64}));
  for (const Index t : {0, 63}) {
    std::printf("position %2d:", int(t));
    for (Index i = 0; i < 5; ++i) std::printf("  %.4f", ours.data()[t * ours.size(-1) + i]);
    std::printf("\n");
  }
  std::printf("held-out loss %.4f\n", judge.loss(std::cref(model)));
  std::printf("largest difference of %d logits: %s\n", int(judge.right.size()),
              shown(apart(ours, judge.right)).c_str());
}
// [logits]

// [details]
/// The GPT written out, so that its activation and epsilon can be chosen.
inline Tensor logits_with(const Gpt& model, const IndexTensor& tokens, const Details& details) {
  const auto norm = [&](const LayerNorm& layer, const Tensor& x) {
    return layer_norm(x, layer.weight, layer.bias, details.epsilon);
  };
  Tensor x = model.wpe.embed(model.wte(tokens));
  for (const Block& block : model.h) {
    const Tensor y = norm(block.ln_1, x);
    x = x + block.attn(y, y, {.causal = true});
    x = x + block.mlp.c_proj(details.activation(block.mlp.c_fc(norm(block.ln_2, x))));
  }
  return model.logits(norm(model.ln_f, x));
}

inline void details(const Judge& judge) {
  const Part part("details");
  Gpt model = read_gpt2(kGpt), unscaled = read_gpt2(kGpt), untied = read_gpt2(kGpt);
  const Scalar root = std::sqrt(Scalar(model.config.n_embd / model.config.n_head));
  for (Block& block : unscaled.h) {
    block.attn.query.weight = block.attn.query.weight * root;
    block.attn.query.bias = block.attn.query.bias * root;
  }
  const Gpt fresh = new_gpt2(kGpt);
  const double right = judge.loss(std::cref(model));
  const auto show = [&](const char* what, const Logits& logits) {
    const double loss = judge.loss(logits), more = loss - right;
    std::printf("%-28s %12s  %.4f", what, shown(judge.distance(logits)).c_str(), loss);
    std::printf(std::abs(more) < 1e-6 ? "  < 1e-06\n" : "  %+.1e\n", more);  // or rounding
  };
  const auto with = [&](const auto& gelu, Scalar epsilon) -> Logits {
    return [=, &model](const IndexTensor& tokens) {
      return logits_with(model, tokens, {.activation = gelu, .epsilon = epsilon});
    };
  };
  std::printf("%-28s logits apart  loss    more by\n", "computed");
  show("as GPT-2 does", std::cref(model));
  show("epsilon 1e-12", with(gelu, Scalar(1e-12)));
  show("GELU by erf", with(gelu_erf, Scalar(1e-5)));
  show("ReLU", with(relu, Scalar(1e-5)));
  show("scores not divided by root D", std::cref(unscaled));
  show("an output table of its own",
       [&](const IndexTensor& tokens) { return fresh.logits(model.features(tokens)); });
}
// [details]

/// The nearest number of `bits` bits, of which the last is worth at least 2^(least + 1 - bits).
inline Scalar nearest(Scalar x, int bits, int least) {
  const int power = x == 0 ? least : std::max(std::ilogb(x), least);
  return std::ldexp(std::nearbyint(std::ldexp(x, bits - 1 - power)), power + 1 - bits);
}

/// The model when a file keeps each of its numbers in 16 bits.
inline void sixteen_bits(const Judge& judge) {
  const Part part("sixteen_bits");
  std::printf("each number in       logits apart   loss\n");
  const auto show = [&](const char* what, int bits, int least) {
    Gpt model = read_gpt2(kGpt);
    visit_parameters(model, [&](const std::string&, Tensor& x) {
      for (Scalar& v : std::span(x.mutable_data(), x.size())) v = nearest(v, bits, least);
    });
    std::printf("%-20s %12s  %.4f\n", what, shown(judge.distance(std::cref(model))).c_str(),
                judge.loss(std::cref(model)));
  };
  show("32 bits, F32", 24, -126);
  show("16 bits, F16", 11, -14);
  show("16 bits, BF16", 8, -126);
}

// [begins]
/// Two mistakes, each in one block, and the distance of x from the right model's.
inline void begins(const Judge& judge) {
  const Part part("begins");
  const IndexTensor tokens({1, 64}, {judge.tokens.begin(), judge.tokens.begin() + 64});
  const NamedTensors ours = from_gpt2(read_safetensors(kGpt + "/model.safetensors"));
  const auto x_with = [&](const Change& change) {
    NamedTensors tensors = ours;
    change(tensors);
    Gpt model = new_gpt2(kGpt);
    fill(model, tensors);
    return stages(model, tokens);
  };
  const auto right = x_with([](NamedTensors&) {});
  const auto one = x_with([](NamedTensors& x) { transpose(x, "h.1.attn.output.weight"); });
  const auto two = x_with(exchange("h.0.ln_1", "h.0.ln_2"));
  const auto names = names_of_stages(new_gpt2(kGpt));
  std::printf("x apart after  block 1: attn.c_proj   block 0: ln_1, ln_2\n");
  for (std::size_t i = 0; i < right.size(); ++i) {
    std::printf("%-13s  %20s   %19s\n", names[i].c_str(), shown(apart(one[i], right[i])).c_str(),
                shown(apart(two[i], right[i])).c_str());
  }
}
// [begins]

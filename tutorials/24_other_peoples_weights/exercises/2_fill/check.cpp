#include "tutorials/common/check.h"

#include "pocket/weights.h"

using namespace pocket;
using gradus::as_library, gradus::green, gradus::red;

namespace {

NamedTensors tensors_for(Gpt& model, Scalar scale) {
  NamedTensors tensors;
  KeySequence keys(5);
  visit_parameters(model, [&](const std::string& name, Tensor& x) {
    tensors[name] = normal(x.shape(), keys.next(), 0, scale);
  });
  return tensors;
}

void refuses(const std::string& what, Gpt& model, const NamedTensors& tensors,
             const std::string& name) {
  try {
    fill(model, tensors);
  } catch (const std::exception& error) {
    const std::string said = error.what();
    if (said.starts_with("exercise ")) throw;
    if (said.find(name) == std::string::npos) {
      red(what, ": the message does not name ", name, ": ", said);
    }
    return green(what, " is refused");
  }
  red(what, " was accepted");
}

void fills(const std::string& what, const GptConfig& config, Scalar scale) {
  Gpt model(config);
  const NamedTensors tensors = tensors_for(model, scale);
  fill(model, tensors);
  for (NamedTensor& x : parameters(model)) {
    gradus::expect(what + ": " + x.name, as_library(x.tensor), as_library(tensors.at(x.name)));
    if (!x.tensor.requires_grad() || !x.tensor.node()->is_leaf()) {
      red(what, ": ", x.name, " needs no gradient");
    }
  }
  const IndexTensor tokens({1, 3}, Tokens{1, 0, 2});
  backward(model.loss(tokens, tokens));
  for (NamedTensor& x : parameters(model)) {
    if (!x.tensor.grad().defined()) red(what, ": no gradient arrives at ", x.name);
  }
  green(what, ": trains");
}

/// Two models of one map, of which one is changed, as training would.
void keeps_the_map(const GptConfig& config) {
  Gpt one(config), two(config);
  const NamedTensors tensors = tensors_for(one, 1);
  const Tensor table = tensors.at("wte.weight");
  const Scalar before = table.data()[0];
  fill(one, tensors);
  fill(two, tensors);
  one.wte.weight.mutable_data()[0] = before + 1;
  if (table.data()[0] != before || two.wte.weight.data()[0] != before) {
    red("two models of one map: a step of one changes the other");
  }
  green("two models of one map");
  const Gpt copy = one;
  fill(one, tensors);
  if (copy.wte.weight.data()[0] != before + 1) {
    red("a model and its copy: filling one changes the other");
  }
  green("a model and its copy");
}

/// A model with a parameter that is not trained: it is in the file as the others are.
void fills_what_is_frozen(const GptConfig& config) {
  Gpt model(config);
  const NamedTensors tensors = tensors_for(model, 1);
  model.wpe.weight = model.wpe.weight.detach();
  fill(model, tensors);
  if (model.wpe.weight.data()[0] != tensors.at("wpe.weight").data()[0]) {
    red("a parameter that needed no gradient kept its numbers");
  }
  if (!model.wpe.weight.requires_grad()) {
    red("a parameter that needed no gradient still needs none");
  }
  green("a parameter that needed no gradient");
}

/// fill returns the file's numbers, also NaN from failed training.
void fills_what_is_not_finite(const GptConfig& config) {
  const Scalar odd[] = {NAN, INFINITY, -INFINITY, -Scalar(0)};
  const std::string what = "numbers that are not finite, and -0";
  Gpt model(config);
  NamedTensors tensors = tensors_for(model, 1);
  std::copy_n(odd, 4, tensors.at("wpe.weight").mutable_data());
  fill(model, tensors);
  const Scalar* got = model.wpe.weight.data();
  for (int i = 0; i < 4; ++i) {
    const bool sign = std::signbit(got[i]) == std::signbit(odd[i]);  // 0 == -0
    if (std::isnan(odd[i]) ? std::isnan(got[i]) : got[i] == odd[i] && sign) continue;
    red(what, ": ", odd[i], " became ", got[i]);
  }
  green(what);
}

}  // namespace

CHECK_ANSWER() {
  const GptConfig small{
      .vocab_size = 7, .n_positions = 5, .n_layer = 1, .n_head = 2, .n_embd = 4, .dropout = 0};
  fills("one block", small, 1);
  fills("three blocks",
        {.vocab_size = 5, .n_positions = 3, .n_layer = 3, .n_head = 1, .n_embd = 6, .dropout = 0},
        1);
  fills("numbers of 1e4", small, 1e4);
  keeps_the_map(small);
  fills_what_is_frozen(small);
  Gpt model(small);
  const NamedTensors all = tensors_for(model, 1);
  for (const NamedTensor& x : parameters(model)) {
    NamedTensors other = all;
    other.erase(x.name);
    refuses("no " + x.name, model, other, x.name);
  }
  const auto refuses_more = [&](const std::string& what, const std::string& name, const Tensor& x) {
    NamedTensors other = all;
    other[name] = x;
    refuses(what, model, other, name);
  };
  refuses_more("a tensor left over", "a.bias", zeros({3}));
  NamedTensors other = all;
  other["transformer.wte.weight"] = other.at("wte.weight");
  other.erase("wte.weight");
  refuses("transformer.wte.weight for wte.weight", model, other, "wte.weight");
  refuses_more("a last tensor left over", "zz.weight", zeros({4, 4}));
  refuses_more("a mask left over", "h.0.attn.bias", zeros({1, 1, 5, 5}));
  refuses_more("a mask's number left over", "h.0.attn.masked_bias", zeros({}));
  refuses_more("an output table that is wte's copy", "lm_head.weight", all.at("wte.weight"));
  refuses_more("a tensor without numbers left over", "h.0.attn.rotary_emb.inv_freq", zeros({0}));
  for (const NamedTensor& x : parameters(model)) {
    const Shape right = x.tensor.shape();
    Shape reversed, before{1}, after = right, less;
    for (const Index n : right) before.push_back(n), less.push_back(less.rank() > 0 ? n : n - 1);
    for (int i = right.rank() - 1; i >= 0; --i) reversed.push_back(right[i]);
    after.push_back(1);
    for (const Shape& shape : {reversed, before, after, less, Shape{right.size()}}) {
      if (shape == right) continue;
      refuses_more(gradus::detail::text(shape, " for ", x.name, ", ", right), x.name, zeros(shape));
    }
  }
  fills_what_is_not_finite(small);
}

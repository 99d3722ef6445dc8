#include "tutorials/24_other_peoples_weights/exercises.h"
#include "tutorials/24_other_peoples_weights/gpt2_folder.h"
#include "tutorials/common/guards.h"

using gradus::as_library, gradus::green, gradus::red;

namespace {

/// Every number its own, so that any exchange shows.
Gpt new_model(const GptConfig& config, Scalar scale) {
  Gpt model(config, 3);
  KeySequence keys(9);
  visit_parameters(model, [&](const std::string&, Tensor& x) {
    x = normal(x.shape(), keys.next(), 0, scale).set_requires_grad();
  });
  return model;
}

/// The reader's tensors; exceptions from the reader's lines are the reader's.
NamedTensors mine(const std::string& what, Gpt& model) {
  try {
    return my_to_gpt2(model);
  } catch (const std::exception& error) {
    red(what, ": your lines threw ", error.what(),
        "\nlikely cause: a name that this model does not have, such as one of a fixed block; or an "
        "axis that a bias does not have (the last is -1)");
  }
}

/// The names in GPT-2: all of our names except the names in attention.
NamedTensors right(Gpt& model, int blocks) {
  NamedTensors x;
  for (const NamedTensor& each : parameters(model)) {
    x[each.name] = tensor(each.tensor.shape(), {each.tensor.begin(), each.tensor.end()});
  }
  for (int block = 0; block < blocks; ++block) {
    for (const std::string kind : {".weight", ".bias"}) {
      const auto taken = [&](const std::string& part) {
        return x.extract("h." + std::to_string(block) + ".attn." + part + kind).mapped();
      };
      const std::string attn = "h." + std::to_string(block) + ".attn.";
      x[attn + "c_attn" + kind] = concat({taken("query"), taken("key"), taken("value")}, -1);
      x[attn + "c_proj" + kind] = taken("output");
    }
  }
  return x;
}

void check_model(const std::string& what, const GptConfig& config, Scalar scale = 1,
                 bool frozen = false) {
  Gpt model = new_model(config, scale);
  if (frozen) model.wpe.weight = model.wpe.weight.detach();
  const NamedTensors expected = right(model, config.n_layer);
  std::vector<Tensor> before;
  std::vector<std::pair<const Scalar*, bool>> parts;  // the model's tensors, and whether they learn
  for (const NamedTensor& x : parameters(model)) {
    before.push_back(x.tensor), parts.emplace_back(x.tensor.data(), x.tensor.requires_grad());
  }
  const NamedTensors got = gradus::unchanged(what, before, [&] { return mine(what, model); });
  for (std::size_t i = 0; const NamedTensor& x : parameters(model)) {
    if (std::pair(x.tensor.data(), x.tensor.requires_grad()) == parts[i++]) continue;
    red(what, ": the model's ", x.name, " is another tensor now, or learns no more",
        "\nlikely cause: take x.tensor.detach(), and leave the model as it is");
  }
  for (const auto& [name, x] : got) {
    if (expected.contains(name)) continue;
    red(what, ": ", name, " is a name of ours, or of nobody\nlikely cause: GPT-2 has c_attn and ",
        "c_proj for our query, key, value and output, and no transformer. before the names");
  }
  for (const auto& [name, x] : expected) {
    if (!got.contains(name)) {
      red(what, ": there is no ", name,
          "\nlikely cause: c_attn and c_proj have weights and biases, and all other names stay");
    }
    gradus::expect(what + ": " + name, as_library(got.at(name)), as_library(x), "", 0);
  }
}

}  // namespace

CHECK_ANSWER() {
  check_model("one block",
              {.vocab_size = 7, .n_positions = 5, .n_layer = 1, .n_head = 2, .n_embd = 4});
  check_model("three blocks",
              {.vocab_size = 11, .n_positions = 3, .n_layer = 3, .n_head = 3, .n_embd = 6});
  check_model("a hundred and one blocks",
              {.vocab_size = 5, .n_positions = 4, .n_layer = 101, .n_head = 1, .n_embd = 2});
  check_model("numbers of 1e4",
              {.vocab_size = 9, .n_positions = 6, .n_layer = 2, .n_head = 1, .n_embd = 5}, 1e4);
  check_model("a parameter that needs no gradient",
              {.vocab_size = 7, .n_positions = 5, .n_layer = 1, .n_head = 2, .n_embd = 4}, 1, true);
}

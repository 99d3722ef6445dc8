#include <filesystem>

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

Tensor found(const Gpt& model, const std::string& wanted) {
  Tensor result;
  visit_parameters(const_cast<Gpt&>(model), [&](const std::string& name, Tensor& x) {
    if (name == wanted) result = x;
  });
  return result;
}

/// The learner's tensors; what their lines throw is theirs.
NamedTensors mine(const std::string& what, Gpt& model) {
  try {
    return my_to_gpt2(model);
  } catch (const std::exception& error) {
    red(what + ": your lines threw " + error.what() +
        "\nlikely cause: a name that this model does not have, such as one of a fixed block; or an "
        "axis that a bias does not have (the last is -1)");
  }
}

/// Column j of the part [rows, C], C being its last size.
Scalar at(const Tensor& x, Index row, Index column) { return x.data()[row * x.size(-1) + column]; }

void check_model(const std::string& what, const GptConfig& config, Scalar scale = 1,
                 bool frozen = false) {
  Gpt model = new_model(config, scale);
  if (frozen) model.wpe.weight = model.wpe.weight.detach();
  std::vector<std::vector<Scalar>> before;
  std::vector<std::pair<Tensor, bool>> parts;  // the model's tensors, and whether they learn
  for (const NamedTensor& x : parameters(model)) {
    before.emplace_back(x.tensor.begin(), x.tensor.end());
    parts.emplace_back(x.tensor, x.tensor.requires_grad());
  }
  const NamedTensors got = mine(what, model);
  std::size_t i = 0;
  for (const NamedTensor& x : parameters(model)) {
    if (!std::equal(before[i].begin(), before[i].end(), x.tensor.begin())) {
      red(what + ": the model's " + x.name + " has changed\nlikely cause: write into a new tensor");
    }
    const auto& [tensor, learns] = parts[i];
    if (x.tensor.data() != tensor.data() || x.tensor.requires_grad() != learns) {
      red(what + ": the model's " + x.name + " is another tensor now, or learns no more" +
          "\nlikely cause: take x.tensor.detach(), and leave the model as it is");
    }
    ++i;
  }
  const std::size_t count = 4 + 12 * std::size_t(config.n_layer);
  for (const auto& [name, x] : got) {
    if (name.find("query") != name.npos || name.find("attn.key") != name.npos ||
        name.find("attn.value") != name.npos || name.find("attn.output") != name.npos) {
      red(what + ": " + name + " is a name of ours\nlikely cause: GPT-2 has c_attn and c_proj");
    }
    if (name.starts_with("transformer.")) red(what + ": no transformer. before the names");
  }
  for (int block = 0; block < config.n_layer; ++block) {
    const std::string attn = "h." + std::to_string(block) + ".attn.";
    for (const std::string kind : {"weight", "bias"}) {
      const std::string name = attn + "c_attn." + kind;
      if (!got.contains(name)) red(what + ": there is no " + name);
      const Tensor x = got.at(name);
      const Index channels = config.n_embd, rows = kind == "bias" ? 1 : channels;
      const Shape shape = kind == "bias" ? Shape{3 * channels} : Shape{channels, 3 * channels};
      if (x.shape() != shape) {
        std::ostringstream said;
        said << what << ": " << name << " is " << x.shape() << ", not " << shape
             << "\nlikely cause: side by side is along the last axis";
        red(said.str());
      }
      const char* parts[] = {"query", "key", "value"};
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < 3 * channels; ++column) {
          const Tensor part = found(model, attn + parts[column / channels] + "." + kind);
          if (at(x, row, column) == at(part, row, column % channels)) continue;
          red(what + ": " + name + ", row " + std::to_string(row) + ", column " +
              std::to_string(column) + " is not " + parts[column / channels] +
              "'s\nlikely cause: query, key, value, in this order, and of this block");
        }
      }
    }
  }
  for (const NamedTensor& each : parameters(model)) {
    std::string name = each.name;
    if (name.find("attn.query") != name.npos || name.find("attn.key") != name.npos ||
        name.find("attn.value") != name.npos) {
      continue;
    }
    const std::size_t place = name.find("attn.output");
    if (place < name.size()) name.replace(place, 11, "attn.c_proj");
    if (!got.contains(name)) {
      red(what + ": there is no " + name + "\nlikely cause: " +
          (place < each.name.size() ? "attn.output becomes attn.c_proj, weight and bias"
                                    : "all other names stay as they are"));
    }
    const Tensor& x = got.at(name);
    if (x.shape() != each.tensor.shape() || !std::equal(x.begin(), x.end(), each.tensor.begin())) {
      red(what + ": " + name +
          " has other numbers\nlikely cause: [in, out] is GPT-2's layout, too");
    }
  }
  if (got.size() != count) {
    red(what + ": " + std::to_string(got.size()) + " tensors, expected " + std::to_string(count) +
        "\nlikely cause: what GPT-2 does not have is left over");
  }
  green(what);
}

/// A model under GPT-2's names in a file, read again by another.
void check_file() {
  const GptConfig config{.vocab_size = 9, .n_positions = 6, .n_layer = 2, .n_head = 2, .n_embd = 4};
  Gpt model = new_model(config, 1), copy(config);
  const auto path = std::filesystem::temp_directory_path() / "my_to_gpt2.safetensors";
  write_safetensors(path, mine("written and read again", model));
  fill(copy, from_gpt2(read_safetensors(path)));
  std::filesystem::remove(path);
  visit_parameters(copy, [&](const std::string& name, Tensor& x) {
    const Tensor before = found(model, name);
    if (!std::equal(x.begin(), x.end(), before.begin())) {
      red("written and read again: " + name + " has other numbers");
    }
  });
  green("written, read by from_gpt2 and filled: every number is back");
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_model("one block",
                {.vocab_size = 7, .n_positions = 5, .n_layer = 1, .n_head = 2, .n_embd = 4});
    check_model("three blocks",
                {.vocab_size = 11, .n_positions = 3, .n_layer = 3, .n_head = 3, .n_embd = 6});
    check_model("a hundred and one blocks",
                {.vocab_size = 5, .n_positions = 4, .n_layer = 101, .n_head = 1, .n_embd = 2});
    check_model("numbers of 1e4",
                {.vocab_size = 9, .n_positions = 6, .n_layer = 2, .n_head = 1, .n_embd = 5}, 1e4);
    check_file();
    check_model("a parameter that needs no gradient",
                {.vocab_size = 7, .n_positions = 5, .n_layer = 1, .n_head = 2, .n_embd = 4}, 1,
                true);
  });
}

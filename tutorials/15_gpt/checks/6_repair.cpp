#include "tutorials/15_gpt/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/guards.h"

using gradus::as_library;
using gradus::green;
using gradus::red;

namespace {

double deviation(const Tensor& x) { return std::sqrt(double{mean(x * x).item()}); }

Batch random_tokens(const GptConfig& config, Index rows, Index length, std::uint64_t seed) {
  Tokens text;
  for (Index i = 0; i < 200; ++i) {
    text.push_back(static_cast<std::int32_t>(uniform_index({.seed = seed}, i, config.vocab_size)));
  }
  return random_batch(text, rows, length, {.seed = seed});
}

void check_start(const GptConfig& config) {
  Gpt model = begin_gpt(config), right(config, 1);
  const std::vector<NamedTensor> all = parameters(model), expected = parameters(right);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].tensor.shape() == expected[i].tensor.shape()) continue;
    red("begin_gpt: " + all[i].name + " has the shape " +
        gradus::shape_got(all[i].tensor).substr(4));
  }
  const Batch batch = random_tokens(config, 4, config.n_positions, 3);
  const double loss = model.loss(batch.inputs, batch.targets).item();
  const double ln_v = std::log(double(config.vocab_size));
  char numbers[120];
  std::snprintf(numbers, sizeof numbers, "the first loss is %.2f, ln V is %.2f", loss, ln_v);
  if (!(std::abs(loss - ln_v) < 0.1)) {
    red(std::string(numbers) + "\nlikely cause: a matrix does not have the initial values");
  }
  green(numbers);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string what = "begin_gpt: " + all[i].name;
    if (!all[i].tensor.requires_grad()) red(what + " does not require a gradient");
    const double got = deviation(all[i].tensor), wanted = deviation(expected[i].tensor);
    if (std::abs(got - wanted) <= 0.15 * wanted) continue;
    std::snprintf(numbers, sizeof numbers, ": standard deviation %.3f, expected about %.3f", got,
                  wanted);
    red(what + numbers +
        (got == 0       ? "\nlikely cause: a table of zeros makes all tokens alike"
         : got > wanted ? "\nlikely cause: it ends a branch, divide by sqrt(2 L)"
                        : ""));
  }
}

void check_causality(const GptConfig& config) {
  Gpt model(config, 5);
  visit_parameters(model, [&](const std::string&, Tensor& x) {
    if (x.rank() == 2) x = (x * 20).detach().set_requires_grad();
  });
  const Batch batch = random_tokens(config, 2, config.n_positions, 7);
  const Index length = config.n_positions;
  // The position table is read by all rows: row s of its gradient says what depends on position s.
  Tensor positions;
  visit_parameters(model, [&](const std::string& name, Tensor& x) {
    if (name.starts_with("wpe")) positions = x;
  });
  for (Index t = 0; t < length; ++t) {
    positions.zero_grad();
    const Tensor logits = slice(gpt_logits(model, batch.inputs), 1, t, t + 1);
    if (!logits.requires_grad()) red("gpt_logits: the logits have no gradient");
    backward(logits, normal(logits.shape(), {.seed = 8}));
    for (Index s = t + 1; s < length; ++s) {
      if (deviation(slice(positions.grad(), 0, s, s + 1)) > 0) {
        red("causality: position " + std::to_string(t) + " depends on position " +
            std::to_string(s) + "\nlikely cause: look at the mask, and where it is used");
      }
    }
  }
  const Tensor got = gpt_logits(model, batch.inputs), right = model(batch.inputs);
  double most = 1;
  for (const Scalar x : right) most = std::max(most, std::abs(double{x}));
  if (!gradus::is_close(as_library(got), as_library(right), 1e-4 * most)) {
    red("no position depends on a later one, but the logits are not those of a GPT\nlikely cause: "
        "each position attends to all earlier ones, in every block");
  }
  green("causality, " + std::to_string(config.n_layer) + " blocks: no gradient from later on");
}

void check_by_heart(const GptConfig& config) {
  Gpt model(config, 1);
  const Batch batch = random_tokens(config, 2, config.n_positions, 9);
  const double said = learn_by_heart(model, batch, 150);
  const double loss = model.loss(batch.inputs, batch.targets).item();
  char numbers[80];
  std::snprintf(numbers, sizeof numbers, "by heart: the loss is %.3f after 150 steps", loss);
  if (!(loss < 0.2)) {
    bool left = false;
    for (const NamedTensor& p : parameters(model)) {
      left = left || (p.tensor.grad().defined() && deviation(p.tensor.grad()) > 1);
    }
    red(std::string(numbers) + ", so the batch was not learned" +
        (left ? "\nlikely cause: large gradients are left over; do those of all steps add up?"
              : "\nlikely cause: do the gradients reach this model?"));
  }
  if (std::abs(said - loss) > 0.01)
    red(numbers + std::string(": that is not the loss that is returned"));
  green(numbers);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    const GptConfig config{
        .vocab_size = 61, .n_positions = 16, .n_layer = 2, .n_head = 4, .n_embd = 32, .dropout = 0};
    GptConfig other = config;
    other.vocab_size = 11, other.n_positions = 7, other.n_layer = 3, other.n_embd = 24;
    check_start(config);
    check_start(other);
    check_causality(config);
    check_causality(other);
    check_by_heart(config);
  });
}

#include "tutorials/15_gpt/exercises.h"
#include "tutorials/common/guards.h"

using gradus::as_library, gradus::green, gradus::listed, gradus::red;

namespace {

double deviation(const Tensor& x) { return std::sqrt(double{mean(x * x).item()}); }

/// One attention under a mask, [T, T], and an output layer, with random weights.
ByVectors with_mask(std::uint64_t seed, const std::function<bool(Index, Index)>& sees) {
  KeySequence keys(seed);
  const MultiHeadAttention attention(8, 2, keys, {});
  const Linear output(8, 5, keys);
  return [=](const Tensor& x) {
    const Index length = x.size(1);
    Tokens mask;
    for (Index i = 0; i < length * length; ++i) mask.push_back(sees(i / length, i % length));
    return output(x + attention(x, x, {.mask = IndexTensor({length, length}, mask)}));
  };
}

void check_test(Index length) {
  const auto back = [](Index t, Index s) { return s <= t; };
  const auto all = [](Index, Index) { return true; };
  const auto one_later = [](Index t, Index s) { return s <= t + 1; };
  const ByVectors first = with_mask(1, back), open = with_mask(4, all);
  const ByVectors later = with_mask(7, one_later);
  struct Case {
    std::string what;
    ByVectors model;
    std::function<Index(Index)> latest;
  };
  const Index last = length - 1;
  const auto at_next = [=](Index t) { return std::min(t + 1, last); };
  const auto at_last = [=](Index) { return last; };
  const std::vector<Case> cases = {
      {"a causal mask", first, [](Index t) { return t; }},
      {"a mask that is off by one", with_mask(2, one_later), at_next},
      {"position 0 sees the last one, too",
       with_mask(3, [=](Index t, Index s) { return s <= t || (t == 0 && s == last); }),
       [=](Index t) { return t == 0 ? last : t; }},
      {"no mask, and a softmax at the end", [&](const Tensor& x) { return softmax(open(x)); },
       at_last},
      {"a leak in the last logit, less than a thousandth",
       [&](const Tensor& x) {
         return first(x) + open(x) * tensor({0, 0, 0, 0, Scalar(0.0003)});
       },
       at_last},
      {"a mask that is off by one, behind a layer norm",
       [&](const Tensor& x) { return later(LayerNorm(x.size(2))(x)); }, at_next},
      {"a leak from channel 5 alone",
       [&](const Tensor& x) {
         return first(x) + open(x * tensor({0, 0, 0, 0, 0, 1, 0, 0}));
       },
       at_last}};
  std::vector<std::vector<Index>> said, expected;
  std::string table;
  for (const Case& each : cases) {
    const Tensor read = normal({1, length, 8}, {.seed = 9});
    bool by_gradient = false;
    const ByVectors spy = [&](const Tensor& x) {
      by_gradient = by_gradient || (recording && x.requires_grad());
      return each.model(x);
    };
    said.push_back(
        gradus::unchanged<Tensor>("latest_read", {read}, [&] { return latest_read(spy, read); }));
    expected.emplace_back();
    for (Index t = 0; t < length; ++t) expected.back().push_back(each.latest(t));
    table += "\n  " + each.what + ": got " + listed(said.back()) + ", expected " +
             listed(expected.back());
    if (said.back().size() != static_cast<std::size_t>(length)) {
      red("latest_read: one number for each of ", length, " positions", table);
    }
    if (said.size() == 1 && said[0] == expected[0] && !by_gradient) {
      red("latest_read: the model never saw a leaf\nlikely cause: the test is to be by gradients");
    }
  }
  if (said != expected) red("latest_read: a leak was missed, or found where there is none", table);
  green("your test distinguishes seven models, T = ", length);
}

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
    red("begin_gpt: ", all[i].name, " has the shape ", all[i].tensor.shape());
  }
  const Batch batch = random_tokens(config, 4, config.n_positions, 3);
  const double loss = model.loss(batch.inputs, batch.targets).item();
  gradus::expect_number("the first loss, which is ln V", loss, std::log(config.vocab_size), 0.1 / 4,
                        "a matrix does not have the initial values");
  green("the first loss is ln V");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string what = "begin_gpt: " + all[i].name;
    if (!all[i].tensor.requires_grad()) red(what, " does not require a gradient");
    const double got = deviation(all[i].tensor), wanted = deviation(expected[i].tensor);
    if (std::abs(got - wanted) <= 0.15 * wanted) continue;
    red(what, ": standard deviation ", got, ", expected about ", wanted);
  }
}

void check_causality(const GptConfig& config) {
  Gpt model(config, 5);
  visit_parameters(model, [&](const std::string&, Tensor& x) {
    if (x.rank() == 2) x = (x * 20).detach().set_requires_grad();
  });
  const Batch batch = random_tokens(config, 2, config.n_positions, 7);
  const Tensor read = model.wpe.embed(model.wte(batch.inputs)).detach();
  const std::vector<Index> latest = latest_read(
      [&](const Tensor& x) { return gpt_logits(model, x); }, slice(read, 0, 0, 1).detach());
  for (Index t = 0; t < config.n_positions; ++t) {
    const Index got = latest[static_cast<std::size_t>(t)];
    if (got == t) continue;
    red("your test, on gpt_logits: position ", t,
        (got > t ? " depends on position " : " does not "),
        got > t ? std::to_string(got) : "depend on its own vector", "\nall: ", listed(latest));
  }
  const Tensor got = gpt_logits(model, read), right = model(batch.inputs);
  gradus::expect("no position depends on a later one; the logits are those of a GPT",
                 as_library(got), as_library(right),
                 "each position attends to all earlier ones, in every block",
                 1e-4 * gradus::scale_of(right));
  green("your test, on a GPT of ", config.n_layer, " blocks: it is causal");
}

void check_by_heart(const GptConfig& config) {
  Gpt model(config, 1);
  const Batch batch = random_tokens(config, 2, config.n_positions, 9);
  const double said = learn_by_heart(model, batch, 150);
  const double loss = model.loss(batch.inputs, batch.targets).item();
  const std::string numbers =
      gradus::detail::text("one batch: the loss is ", loss, " after 150 steps");
  if (!(loss < 0.2)) red(numbers, ", so the batch was not learned");
  if (std::abs(said - loss) > 0.01) red(numbers, ": that is not the loss that is returned");
  green(numbers);
}

}  // namespace

CHECK_ANSWER() {
  const GptConfig config{
      .vocab_size = 61, .n_positions = 16, .n_layer = 2, .n_head = 4, .n_embd = 32, .dropout = 0};
  GptConfig other = config;
  other.vocab_size = 11, other.n_positions = 7, other.n_layer = 3, other.n_embd = 24;
  check_test(7);
  check_test(12);
  check_start(config);
  check_start(other);
  check_causality(config);
  check_causality(other);
  check_by_heart(config);
}

#include "tutorials/common/check.h"

#include "tutorials/20_one_model_many_tasks/exercises.h"

using gradus::green, gradus::red;

namespace {

constexpr Index kVocab = 12;

/// A model whose logits are far apart: `scale` is the size of its token table.
Gpt drawn(std::uint64_t seed, Scalar scale) {
  GptConfig config{.vocab_size = kVocab, .n_positions = 80};
  config.n_layer = 1, config.n_head = 2, config.n_embd = 8, config.dropout = 0;
  Gpt model(config, seed);
  KeySequence keys(seed + 100);
  visit_parameters(model, [&](const std::string& name, Tensor& x) {
    if (x.rank() == 2) x = normal(x.shape(), keys.next(), 0, name == "wte.weight" ? scale : 1);
  });
  return model;
}

Tokens draw(Index length, const RandomKey& key) {
  Tokens tokens;
  for (Index i = 0; i < length; ++i) tokens.push_back(std::int32_t(uniform_index(key, i, kVocab)));
  return tokens;
}

/// ln p of an answer, each token by itself.
double right(const Gpt& model, const Tokens& prompt, const Tokens& answer) {
  const NoGrad no_grad;
  Tokens read = prompt;
  double sum = 0;
  for (const std::int32_t token : answer) {
    const Tensor logits = slice(model(IndexTensor({1, std::ssize(read)}, read)), 1, -1);
    const double largest = *std::max_element(logits.begin(), logits.end());
    double total = 0;
    for (const Scalar logit : logits) total += std::exp(logit - largest);
    sum += logits.data()[token] - largest - std::log(total);
    read.push_back(token);
  }
  return sum;
}

/// Asks 40 models for the most probable of answers of these lengths, where it is so clearly.
void ask(const std::string& what, const std::vector<Index>& lengths, Scalar scale) {
  std::string chosen, expected;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Gpt model = drawn(seed, scale);
    const Tokens prompt = draw(3 + Index(seed % 5), {seed, 1});
    std::vector<Tokens> answers;
    std::vector<double> log_p;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      answers.push_back(draw(lengths[i], {seed, 2, std::uint32_t(i)}));
      log_p.push_back(right(model, prompt, answers.back()));
    }
    const auto best = std::max_element(log_p.begin(), log_p.end()) - log_p.begin();
    std::vector<double> sorted = log_p;
    std::sort(sorted.rbegin(), sorted.rend());
    if (sorted[0] - sorted[1] < 0.01) continue;
    chosen += " " + std::to_string(most_probable(model, prompt, answers));
    expected += " " + std::to_string(best);
  }
  if (chosen != expected) {
    red(what, ", of one model after another\ngot     ", chosen, "\nexpected", expected);
  }
  green(what);
}

}  // namespace

CHECK_ANSWER() {
  ask("answers of three tokens", {3, 3, 3, 3}, 1);
  ask("answers of two to six tokens", {6, 2, 3, 4}, 1);
  ask("answers of one token", {1, 1, 1, 1}, 1);
  ask("a short answer that is not probable", {1, 2, 2, 2}, 2);
  ask("answers of 70 tokens that are hardly possible", {70, 70, 70}, 12);
}

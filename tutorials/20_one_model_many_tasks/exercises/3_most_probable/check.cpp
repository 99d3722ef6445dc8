#include "tutorials/common/check.h"

#include "tutorials/20_one_model_many_tasks/exercises.h"

using gradus::green;
using gradus::red;

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

/// What each token of the answer costs: rows of logits, and the tokens that they predict.
struct Steps {
  std::vector<std::vector<Scalar>> logits;
  Tokens tokens;
};

Steps steps_of(const Gpt& model, const Tokens& prompt, const Tokens& answer) {
  const NoGrad no_grad;
  Steps steps;
  Tokens read = prompt;
  for (const std::int32_t token : answer) {  // each step by itself
    const Tensor logits = slice(model(IndexTensor({1, std::ssize(read)}, read)), 1, -1);
    steps.logits.emplace_back(logits.begin(), logits.end());
    steps.tokens.push_back(token), read.push_back(token);
  }
  return steps;
}

double log_probability(const std::vector<Scalar>& logits, std::int32_t token) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const Scalar logit : logits) sum += std::exp(logit - largest);
  return logits[std::size_t(token)] - largest - std::log(sum);
}

using Score = std::function<double(const Steps&)>;

double right(const Steps& steps) {
  double sum = 0;
  for (std::size_t i = 0; i < steps.tokens.size(); ++i) {
    sum += log_probability(steps.logits[i], steps.tokens[i]);
  }
  return sum;
}

/// Asks where the right score and a wrong one choose different answers, by a clear margin.
void ask(const std::string& what, const std::vector<Index>& lengths, Scalar scale,
         const Score& wrong, const std::string& cause, bool always = false) {
  int asked = 0;
  for (std::uint64_t seed = 1; asked < 6 && seed < 400; ++seed) {
    const Gpt model = drawn(seed, scale);
    const Tokens prompt = draw(3 + Index(seed % 5), {seed, 1});
    std::vector<Tokens> answers;
    std::vector<double> good, bad;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      answers.push_back(draw(lengths[i], {seed, 2, std::uint32_t(i)}));
      const Steps steps = steps_of(model, prompt, answers.back());
      good.push_back(right(steps)), bad.push_back(wrong(steps));
    }
    const auto best = std::size_t(std::max_element(good.begin(), good.end()) - good.begin());
    const auto other = std::size_t(std::max_element(bad.begin(), bad.end()) - bad.begin());
    std::vector<double> sorted = good;
    std::sort(sorted.rbegin(), sorted.rend());
    if ((best == other && !always) || sorted[0] - sorted[1] < 0.01) continue;
    ++asked;
    const std::size_t got = most_probable(model, prompt, answers);
    if (got == best) continue;
    std::string table;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      table += "\n  answer " + std::to_string(i) + ", " + std::to_string(answers[i].size()) +
               " tokens: ln p = " + std::to_string(good[i]);
    }
    red(what + ": got answer " + std::to_string(got) + ", expected " + std::to_string(best) +
        table + "\nlikely cause: " + cause);
  }
  if (asked == 0) red(what + ": nothing was asked");
  green(what);
}

double per_token(const Steps& steps) { return right(steps) / double(steps.tokens.size()); }
double first(const Steps& steps) { return log_probability(steps.logits[0], steps.tokens[0]); }
double last(const Steps& steps) {
  return log_probability(steps.logits.back(), steps.tokens.back());
}
double later(const Steps& steps) { return right(steps) - first(steps); }
double of_logits(const Steps& steps) {
  double sum = 0;
  for (std::size_t i = 0; i < steps.tokens.size(); ++i) {
    sum += steps.logits[i][std::size_t(steps.tokens[i])];
  }
  return sum;
}
double of_shares(const Steps& steps) {
  double sum = 0;
  for (std::size_t i = 0; i < steps.tokens.size(); ++i) {
    sum += std::exp(log_probability(steps.logits[i], steps.tokens[i]));
  }
  return sum;
}
double hits(const Steps& steps) {
  double sum = 0;
  for (std::size_t i = 0; i < steps.tokens.size(); ++i) {
    const auto& row = steps.logits[i];
    sum += std::max_element(row.begin(), row.end()) - row.begin() == steps.tokens[i];
  }
  return sum;
}
double none(const Steps&) { return 0; }

/// What a red answer of several tokens is told, whatever the case looks for.
const std::string kSum =
    "; the score is a sum over all tokens of the answer, not one token alone, of ln p: logits are "
    "no log-probabilities, a sum of probabilities is not their product";

}  // namespace

int main() {
  return gradus::run_check([] {
    ask("answers of one token", {1, 1, 1, 1}, 1, none,
        "compare probabilities, given the prompt, where position t predicts token t + 1; do not "
        "choose the least probable",
        true);
    ask("answers of three tokens", {3, 3, 3, 3}, 1, first,
        "that is the first token of each answer" + kSum);
    ask("answers of three tokens, again", {3, 3, 3, 3}, 1, last,
        "that is the last token of each answer" + kSum);
    ask("a first token that decides", {2, 2, 2}, 1, later, "the answer's first token counts");
    ask("logits with different sums", {3, 3, 3, 3}, 1, of_logits, "add log-probabilities" + kSum);
    ask("one probable token among others", {3, 3, 3}, 1, of_shares, "add logarithms" + kSum);
    ask("answers of two to six tokens", {6, 2, 3, 4}, 1, per_token,
        "a product, not a mean: the question is which answer is the most probable as a whole");
    ask("answers that no argmax writes", {4, 4, 4}, 1, hits,
        "that is how many of its tokens are the argmax");
    ask(
        "a short answer that is not probable", {1, 2, 2, 2}, 2,
        [](const Steps& steps) { return -double(steps.tokens.size()); },
        "that is the shortest answer");
    ask("answers of 70 tokens that are hardly possible", {70, 70, 70}, 12, none,
        "a product of so many small numbers is 0: add logarithms", true);
  });
}

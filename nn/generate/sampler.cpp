#include "nn/generate/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "autograd/check.h"
#include "autograd/ops/reduce.h"

namespace gradus {
using namespace detail;
namespace {

/// A token and its unnormalised probability.
struct Candidate {
  std::int32_t token;
  Scalar logit;
  double weight;
};

bool more_probable(const Candidate& a, const Candidate& b) {
  return a.logit > b.logit || (a.logit == b.logit && a.token < b.token);
}

double total_weight(const std::vector<Candidate>& candidates) {
  return std::accumulate(candidates.begin(), candidates.end(), 0.0,
                         [](double sum, const Candidate& c) { return sum + c.weight; });
}

std::size_t most_probable(std::span<const Scalar> logits) {
  return static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin());
}

std::vector<Candidate> all_tokens(std::span<const Scalar> logits) {
  std::vector<Candidate> candidates(logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) {
    candidates[i] = {static_cast<std::int32_t>(i), logits[i], 0};
  }
  return candidates;
}

/// Weights are exp((logit - highest logit) / temperature).
void weigh(std::vector<Candidate>& candidates, Scalar highest, double temperature) {
  for (Candidate& c : candidates) {
    // Compared first, because infinity minus infinity is NaN.
    c.weight = c.logit == highest ? 1 : std::exp((double{c.logit} - highest) / temperature);
  }
}

/// Keeps the k most probable candidates, in no particular order.
void keep_top_k(std::vector<Candidate>& candidates, std::size_t k) {
  if (k < candidates.size()) {
    const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(k);
    std::nth_element(candidates.begin(), end, candidates.end(), more_probable);
    candidates.erase(end, candidates.end());
  }
}

/// Keeps the fewest most probable candidates whose total weight is at least the fraction `p` of the
/// whole. A heap gives them one by one, so that only the kept ones are sorted.
void keep_top_p(std::vector<Candidate>& candidates, double p) {
  const double enough = p * total_weight(candidates);
  const auto less_probable = [](const Candidate& a, const Candidate& b) {
    return more_probable(b, a);
  };
  std::make_heap(candidates.begin(), candidates.end(), less_probable);
  auto heap_end = candidates.end();
  double reached = 0;
  while (heap_end != candidates.begin() && reached < enough) {
    std::pop_heap(candidates.begin(), heap_end, less_probable);
    reached += (--heap_end)->weight;
  }
  candidates.erase(candidates.begin(), heap_end);
}

/// The candidate at the fraction `draw` of the total weight.
std::int32_t pick(const std::vector<Candidate>& candidates, double draw) {
  const double target = draw * total_weight(candidates);
  double reached = 0;
  std::int32_t token = candidates.front().token;
  for (const Candidate& candidate : candidates) {
    if (candidate.weight > 0) {
      token = candidate.token;
      reached += candidate.weight;
      if (reached > target) {
        break;
      }
    }
  }
  return token;
}

void check_logits(std::span<const Scalar> logits) {
  check(!logits.empty(), "choose_token: there are no logits");
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (std::isnan(logits[i])) {
      throw std::runtime_error(text("choose_token: the logit of token ", i, " is NaN: the weights ",
                                    "are too large (train the model again)"));
    }
  }
  check(logits[most_probable(logits)] > -std::numeric_limits<Scalar>::infinity(),
        "choose_token: all logits are -inf");
}

/// The tokens that may be drawn, in the order of their numbers.
std::vector<Candidate> candidates_for(std::span<const Scalar> logits,
                                      const SampleOptions& options) {
  options.validate();
  check_logits(logits);
  if (options.temperature == 0) {
    const std::size_t token = most_probable(logits);
    return {{static_cast<std::int32_t>(token), logits[token], 1}};
  }
  std::vector<Candidate> candidates = all_tokens(logits);
  if (options.top_k > 0) {
    keep_top_k(candidates, static_cast<std::size_t>(options.top_k));
  }
  weigh(candidates, logits[most_probable(logits)], options.temperature);
  if (options.top_p < 1) {
    keep_top_p(candidates, options.top_p);
  }
  // Only top_k and top_p change the order; top_p does so even if it keeps all.
  if (options.top_p < 1 || candidates.size() < logits.size()) {
    std::ranges::sort(candidates, {}, &Candidate::token);
  }
  return candidates;
}

void check_prompt(const Gpt& model, std::span<const std::int32_t> prompt) {
  check(!prompt.empty(), "sample: the prompt is empty (give at least one token)");
  for (const std::int32_t token : prompt) {
    check(token >= 0 && token < model.config.vocab_size, "sample: the prompt's token ", token,
          " is outside the model's vocabulary of ", model.config.vocab_size);
  }
}

/// One row of the batch being generated.
struct Continuation {
  std::vector<std::int32_t> tokens;  // including the prompt
  Index written = 0;  // number of new tokens; ended rows grow too, to the same length
  bool ended = false;
};

/// Applies the repetition penalty to the logits [B, V], for the tokens in each row's window.
void penalise(Tensor& logits, std::span<const Continuation> texts, Index window, double penalty) {
  Scalar* row = logits.mutable_data();
  for (const Continuation& text : texts) {
    const std::span<const std::int32_t> seen =
        std::span(text.tokens).last(static_cast<std::size_t>(window));
    penalise_repetition({row, static_cast<std::size_t>(logits.size(1))}, seen, penalty);
    row += logits.size(1);
  }
}

}  // namespace

void SampleOptions::validate() const {
  check(temperature >= 0 && std::isfinite(temperature),
        "sample: --temperature must be at least 0 and finite, got ", temperature);
  check(top_k >= 0, "sample: --top_k must be at least 0, got ", top_k);
  check(top_p > 0 && top_p <= 1, "sample: --top_p must be in (0, 1], got ", top_p);
  check(repetition_penalty > 0 && std::isfinite(repetition_penalty),
        "sample: --repetition_penalty must be above 0 and finite, got ", repetition_penalty);
}

void penalise_repetition(std::span<Scalar> logits, std::span<const std::int32_t> seen,
                         double penalty) {
  check(penalty > 0 && std::isfinite(penalty),
        "penalise_repetition: the penalty must be above 0 and finite, got ", penalty);
  std::vector<bool> done(logits.size());
  for (const std::int32_t token : seen) {
    check(token >= 0 && token < std::ssize(logits), "penalise_repetition: token ", token,
          " is outside the vocabulary of ", logits.size());
    const auto i = static_cast<std::size_t>(token);
    if (!done[i]) {
      logits[i] = static_cast<Scalar>(logits[i] > 0 ? logits[i] / penalty : logits[i] * penalty);
      done[i] = true;
    }
  }
}

std::int32_t choose_token(std::span<const Scalar> logits, const SampleOptions& options,
                          Scalar draw) {
  return pick(candidates_for(logits, options), draw);
}

std::vector<double> token_probabilities(std::span<const Scalar> logits,
                                        const SampleOptions& options) {
  const std::vector<Candidate> candidates = candidates_for(logits, options);
  std::vector<double> probabilities(logits.size());
  const double total = total_weight(candidates);
  for (const Candidate& c : candidates) {
    probabilities[static_cast<std::size_t>(c.token)] = c.weight / total;
  }
  return probabilities;
}

std::vector<std::vector<std::int32_t>> generate_batch(
    const Gpt& model, const std::vector<std::int32_t>& prompt, Index count,
    const SampleOptions& options, std::span<const RandomKey> keys,
    const std::function<bool(std::size_t, std::int32_t)>& on_token) {
  options.validate();
  check_prompt(model, prompt);
  check(count >= 0, "sample: --max_new_tokens must be at least 0, got ", count);
  if (count == 0 || keys.empty()) {
    return std::vector<std::vector<std::int32_t>>(keys.size());
  }
  const Index given = std::ssize(prompt);
  std::vector<Continuation> texts(keys.size(), Continuation{prompt});
  InferenceSession reader(model);  // reads the prompt once for any batch size
  Tensor logits = reader.read_on(std::span(texts).first(1), &Continuation::tokens);
  if (texts.size() > 1) {
    reader = reader.of_rows(IndexTensor({std::ssize(texts)}));  // all rows are copies of the first
    logits = broadcast_to(logits, {std::ssize(texts), logits.size(1)});
  }
  for (Index i = 0;; ++i) {
    if (options.repetition_penalty != 1) {
      penalise(logits, texts, reader.length(), options.repetition_penalty);
    }
    const Scalar* row = logits.data();
    for (std::size_t n = 0; n < texts.size(); ++n, row += logits.size(1)) {
      Continuation& text = texts[n];
      if (text.ended) {
        text.tokens.push_back(text.tokens.back());
        continue;
      }
      text.tokens.push_back(choose_token({row, static_cast<std::size_t>(logits.size(1))}, options,
                                         uniform_at(keys[n], static_cast<std::uint64_t>(i))));
      text.written = i + 1;
      const bool goes_on = !on_token || on_token(n, text.tokens.back());
      text.ended = !goes_on || text.written == count;
    }
    if (std::ranges::all_of(texts, &Continuation::ended)) {
      break;
    }
    logits = reader.read_on(texts, &Continuation::tokens);
  }
  std::vector<std::vector<std::int32_t>> written;
  for (const Continuation& text : texts) {
    const auto begin = text.tokens.begin() + given;
    written.emplace_back(begin, begin + text.written);
  }
  return written;
}

std::vector<std::int32_t> generate(const Gpt& model, std::vector<std::int32_t> prompt, Index count,
                                   const SampleOptions& options, const RandomKey& key,
                                   const std::function<bool(std::int32_t)>& on_token) {
  return generate_batch(
             model, prompt, count, options, std::span(&key, 1),
             [&](std::size_t, std::int32_t token) { return !on_token || on_token(token); })
      .front();
}

}  // namespace gradus

#include "nn/generate/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape_ops.h"

namespace gradus {
namespace {

/// A token and its probability, up to a common factor.
struct Candidate {
  std::int32_t token;
  Scalar logit;
  double weight;
};

bool likelier(const Candidate& a, const Candidate& b) {
  return a.logit > b.logit || (a.logit == b.logit && a.token < b.token);
}

double total_weight(const std::vector<Candidate>& candidates) {
  return std::accumulate(candidates.begin(), candidates.end(), 0.0,
                         [](double sum, const Candidate& c) { return sum + c.weight; });
}

std::size_t likeliest(std::span<const Scalar> logits) {
  return static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin());
}

/// All tokens, weighted by exp((logit - highest logit) / temperature).
std::vector<Candidate> weigh(std::span<const Scalar> logits, double temperature) {
  const Scalar highest = logits[likeliest(logits)];
  std::vector<Candidate> candidates(logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) {
    // Asked apart, as infinity less infinity is no number.
    const bool as_high = logits[i] == highest;
    const double weight = as_high ? 1 : std::exp((double{logits[i]} - highest) / temperature);
    candidates[i] = {static_cast<std::int32_t>(i), logits[i], weight};
  }
  return candidates;
}

/// Leaves the k likeliest, in no particular order.
void keep_top_k(std::vector<Candidate>& candidates, std::size_t k) {
  if (k < candidates.size()) {
    const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(k);
    std::nth_element(candidates.begin(), end, candidates.end(), likelier);
    candidates.erase(end, candidates.end());
  }
}

/// Leaves the fewest of the likeliest that together have at least the share `p` of the total. A
/// heap gives them one by one, so that only those that stay are sorted out.
void keep_top_p(std::vector<Candidate>& candidates, double p) {
  const double enough = p * total_weight(candidates);
  const auto less_likely = [](const Candidate& a, const Candidate& b) { return likelier(b, a); };
  std::make_heap(candidates.begin(), candidates.end(), less_likely);
  auto heap_end = candidates.end();
  double reached = 0;
  while (heap_end != candidates.begin() && reached < enough) {
    std::pop_heap(candidates.begin(), heap_end, less_likely);
    reached += (--heap_end)->weight;
  }
  candidates.erase(candidates.begin(), heap_end);
}

/// The candidate at the share `draw` of the total weight.
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
    check(!std::isnan(logits[i]), "choose_token: the logit of token ", i, " is NaN");
  }
  check(logits[likeliest(logits)] > -std::numeric_limits<Scalar>::infinity(),
        "choose_token: all logits are -inf");
}

/// Logits [V] of the token after `tokens`, of which the model sees as many as it can.
Tensor next_logits(const Gpt& model, std::span<const std::int32_t> tokens) {
  const Index seen = std::min<Index>(std::ssize(tokens), model.config.n_positions);
  const IndexTensor window({1, seen}, tokens.last(static_cast<std::size_t>(seen)));
  const Tensor last = slice(model.features(window), 1, -1);           // [1, 1, C]
  return reshape(matmul(last, model.wte.weight, {.b = true}), {-1});  // [V]
}

}  // namespace

void SampleOptions::validate() const {
  check(temperature >= 0 && std::isfinite(temperature),
        "sample: --temperature must be at least 0 and finite, got ", temperature);
  check(top_k >= 0, "sample: --top_k must be at least 0, got ", top_k);
  check(top_p > 0 && top_p <= 1, "sample: --top_p must be in (0, 1], got ", top_p);
}

std::int32_t choose_token(std::span<const Scalar> logits, const SampleOptions& options,
                          Scalar draw) {
  options.validate();
  check_logits(logits);
  if (options.temperature == 0) {
    return static_cast<std::int32_t>(likeliest(logits));
  }
  std::vector<Candidate> candidates = weigh(logits, options.temperature);
  if (options.top_k > 0) {
    keep_top_k(candidates, static_cast<std::size_t>(options.top_k));
  }
  if (options.top_p < 1) {
    keep_top_p(candidates, options.top_p);
  }
  // Else they are in order still: top_p reorders even what it keeps.
  if (options.top_p < 1 || candidates.size() < logits.size()) {
    std::ranges::sort(candidates, {}, &Candidate::token);
  }
  return pick(candidates, draw);
}

std::vector<std::int32_t> generate(const Gpt& model, std::vector<std::int32_t> prompt, Index count,
                                   const SampleOptions& options, const RandomKey& key,
                                   const std::function<bool(std::int32_t)>& on_token) {
  options.validate();
  check(!prompt.empty(), "sample: the prompt is empty (give at least one token)");
  check(count >= 0, "sample: --max_new_tokens must be at least 0, got ", count);
  for (const std::int32_t token : prompt) {
    check(token >= 0 && token < model.config.vocab_size, "sample: the prompt's token ", token,
          " is outside the model's vocabulary of ", model.config.vocab_size);
  }
  const NoGrad no_grad;
  const std::size_t given = prompt.size();
  std::vector<std::int32_t> tokens = std::move(prompt);
  for (Index i = 0; i < count; ++i) {
    const Tensor logits = next_logits(model, tokens);
    tokens.push_back(choose_token({logits.begin(), logits.end()}, options,
                                  uniform_at(key, static_cast<std::uint64_t>(i))));
    if (on_token && !on_token(tokens.back())) {
      break;
    }
  }
  return {tokens.begin() + static_cast<std::ptrdiff_t>(given), tokens.end()};
}

}  // namespace gradus

#include "nn/data/scores.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "autograd/check.h"
#include "nn/data/words.h"

namespace gradus {
using namespace detail;
namespace {

using Words = std::vector<std::string>;

void check_sizes(const char* op, const std::vector<std::string>& candidates,
                 const References& references) {
  check(!candidates.empty(), op, ": there is nothing to score");
  check(candidates.size() == references.size(), op, ": needs references for each candidate, got ",
        candidates.size(), " candidates and ", references.size(), " references");
  for (std::size_t i = 0; i < references.size(); ++i) {
    check(!references[i].empty(), op, ": candidate ", i, " has no reference");
  }
}

/// How often each n-gram occurs in a sentence.
std::map<Words, std::size_t> ngrams(const Words& words, std::size_t n) {
  std::map<Words, std::size_t> counts;
  for (std::size_t i = 0; i + n <= words.size(); ++i) {
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(i);
    ++counts[Words(begin, begin + static_cast<std::ptrdiff_t>(n))];
  }
  return counts;
}

/// The number of the candidate's n-grams, clipped: each n-gram counts at most as often as it occurs
/// in the reference where it occurs most often.
std::size_t matches(const Words& candidate, const std::vector<Words>& references, std::size_t n) {
  std::map<Words, std::size_t> allowed;
  for (const Words& reference : references) {
    for (const auto& [ngram, count] : ngrams(reference, n)) {
      allowed[ngram] = std::max(allowed[ngram], count);
    }
  }
  std::size_t matched = 0;
  for (const auto& [ngram, count] : ngrams(candidate, n)) {
    const auto found = allowed.find(ngram);
    if (found != allowed.end()) matched += std::min(count, found->second);
  }
  return matched;
}

/// The reference length nearest to `length`; of two equally near the shorter.
std::size_t nearest_length(std::size_t length, const std::vector<Words>& references) {
  const auto distance = [&](std::size_t other) {
    return std::pair(std::max(length, other) - std::min(length, other), other);
  };
  std::size_t nearest = references[0].size();
  for (const Words& reference : references) {
    if (distance(reference.size()) < distance(nearest)) nearest = reference.size();
  }
  return nearest;
}

}  // namespace

double exact_match(const std::vector<std::string>& candidates, const References& references) {
  check_sizes("exact_match", candidates, references);
  std::size_t right = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    right += std::ranges::count(references[i], candidates[i]) > 0;
  }
  return static_cast<double>(right) / static_cast<double>(candidates.size());
}

Bleu corpus_bleu(const std::vector<std::string>& candidates, const References& references,
                 int max_n) {
  check_sizes("corpus_bleu", candidates, references);
  check(max_n >= 1, "corpus_bleu: max_n must be at least 1, got ", max_n);
  const auto orders = static_cast<std::size_t>(max_n);
  std::vector<std::size_t> matched(orders), total(orders);
  std::size_t length = 0, reference_length = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Words candidate = split_words(candidates[i]);
    std::vector<Words> allowed;
    for (const std::string& reference : references[i]) allowed.push_back(split_words(reference));
    length += candidate.size();
    reference_length += nearest_length(candidate.size(), allowed);
    for (std::size_t n = 1; n <= orders; ++n) {
      matched[n - 1] += matches(candidate, allowed, n);
      total[n - 1] += candidate.size() < n ? 0 : candidate.size() - n + 1;
    }
  }
  Bleu bleu;
  double logs = 0;
  bool zero = false;
  for (std::size_t n = 0; n < orders; ++n) {
    const double precision =
        total[n] == 0 ? 0 : static_cast<double>(matched[n]) / static_cast<double>(total[n]);
    bleu.precisions.push_back(precision);
    zero = zero || precision == 0;
    if (!zero) logs += std::log(precision) / max_n;
  }
  const double ratio =
      length == 0 ? 0 : static_cast<double>(reference_length) / static_cast<double>(length);
  if (length > 0) bleu.brevity = length > reference_length ? 1 : std::exp(1 - ratio);
  bleu.score = zero ? 0 : bleu.brevity * std::exp(logs);
  return bleu;
}

}  // namespace gradus

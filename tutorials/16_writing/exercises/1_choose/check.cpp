#include "tutorials/common/check.h"

#include "autograd/ops/random.h"
#include "pocket/write.h"

using namespace pocket;
using gradus::green, gradus::red;

namespace {

/// The probabilities by definition: softmax at the temperature, then the k largest, then p.
std::vector<double> expected_of(const std::vector<Scalar>& logits, const SampleOptions& options) {
  const std::size_t n = logits.size();
  const auto largest = std::max_element(logits.begin(), logits.end());
  std::vector<double> shares(n);
  for (std::size_t i = 0; i < n; ++i) {
    shares[i] = std::exp((logits[i] - *largest) / std::max(options.temperature, 1e-9));
  }
  const auto keep = [&](const std::function<bool(int larger, double before)>& wanted) {
    double total = 0;
    for (const double share : shares) total += share;
    std::vector<double> left(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      int larger = 0;
      double before = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (logits[j] > logits[i]) ++larger, before += shares[j] / total;
      }
      if (wanted(larger, before)) left[i] = shares[i];
      sum += left[i];
    }
    for (double& share : left) share /= sum;
    shares = left;
  };
  keep([&](int larger, double) { return options.top_k == 0 || larger < options.top_k; });
  keep([&](int, double before) { return before < options.top_p; });
  return shares;
}

void ask(const std::string& what, const std::vector<Scalar>& logits, const SampleOptions& options) {
  const std::vector<double> expected = expected_of(logits, options);
  std::vector<double> got(logits.size());
  for (int i = 0; i < 2000; ++i) {
    const std::int32_t token = choose_token(logits, options, Scalar((i + 0.5) / 2000));
    if (token < 0 || token >= std::ssize(logits)) {
      red(what, ": token ", token, " is not in the vocabulary");
    }
    got[static_cast<std::size_t>(token)] += 0.0005;
  }
  std::string table = "\n  token  logit  got    expected";
  bool same = true;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    table += gradus::detail::text("\n  ", i, "  ", logits[i], "  ", got[i], "  ", expected[i]);
    same = same && std::abs(got[i] - expected[i]) < 0.002;
  }
  if (!same) red(what, ": how often each token is chosen", table);
  const std::int32_t last = choose_token(logits, options, std::nextafter(Scalar(1), Scalar(0)));
  if (last < 0 || last >= std::ssize(logits) || expected[static_cast<std::size_t>(last)] == 0) {
    red(what, ": the largest draw below 1 takes a token that is not kept");
  }
  green(what);
}

}  // namespace

CHECK_ANSWER() {
  const std::vector<Scalar> five{1, -1, 2, 0, Scalar(1.5)}, seven{0, 3, 1, 2, -2, -1, -3};
  const gradus::Tensor drawn = gradus::normal({60}, {.seed = 3});
  const std::vector<Scalar> sixty(drawn.begin(), drawn.end());
  ask("temperature 1", five, {.temperature = 1, .top_k = 0});
  ask("temperature 0.5", five, {.temperature = 0.5, .top_k = 0});
  ask("temperature 2, 60 logits", sixty, {.temperature = 2, .top_k = 0});
  ask("temperature 0", seven, {.temperature = 0});
  ask("top_k 2", five, {.temperature = 1, .top_k = 2});
  ask("top_k above V", five, {.temperature = 1, .top_k = 9});
  ask("temperature 2, top_p 0.7", seven, {.temperature = 2, .top_k = 0, .top_p = 0.7});
  ask("top_k 3, top_p 0.5 of what top_k keeps", five, {.temperature = 1, .top_k = 3, .top_p = 0.5});
  ask("top_p 0.01, which keeps one", five, {.temperature = 1, .top_k = 0, .top_p = 0.01});
  ask("logits of some hundred", {300, 800, 799, 100}, {.temperature = 1, .top_k = 0});
}

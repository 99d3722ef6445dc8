#include "tutorials/common/check.h"

#include "autograd/ops/random.h"
#include "tutorials/16_writing/exercises.h"

using gradus::green, gradus::red;

namespace {

void ask(const std::string& what, const std::vector<Scalar>& logits, double min_p) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  std::vector<double> expected, got(logits.size());
  double total = 0, reached = 0;
  for (const Scalar logit : logits) {
    const double weight = std::exp(logit - largest);
    expected.push_back(weight >= min_p ? weight : 0);
    total += expected.back();
  }
  for (int i = 0; i < 2000; ++i) {
    const std::int32_t token = choose_min_p(logits, min_p, Scalar((i + 0.5) / 2000));
    if (token < 0 || token >= std::ssize(logits)) red(what, ": that is no token");
    got[static_cast<std::size_t>(token)] += 0.0005;
  }
  bool in_order = true;
  for (std::size_t i = 0; i < logits.size(); reached += expected[i++] / total) {
    if (expected[i] / total < 0.001) continue;
    const double middle = reached + expected[i] / total / 2;
    in_order = in_order && choose_min_p(logits, min_p, Scalar(middle)) == std::int32_t(i);
  }
  std::string table = "\n  token  logit  got    expected";
  bool same = true;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    char row[80];
    std::snprintf(row, sizeof row, "\n  %5d  %5.1f  %.3f  %.3f", static_cast<int>(i),
                  double{logits[i]}, got[i], expected[i] / total);
    table += row;
    same = same && std::abs(got[i] - expected[i] / total) < 0.002;
  }
  if (!same) red(what, ": how often each token is chosen", table);
  if (!in_order) red(what, ": go through the tokens by their numbers, not by probability");
  green(what);
}

}  // namespace

CHECK_ANSWER() {
  ask("unsure, min_p 0.2", {Scalar(0.1), 0, Scalar(-0.2), Scalar(0.2), -3}, 0.2);
  ask("sure, min_p 0.2", {0, 4, 1, Scalar(2.5), -1, 0}, 0.2);
  ask("min_p 0, which keeps all", {0, 1, 2}, 0);
  ask("min_p 1, which keeps the largest", {0, 3, 2}, 1);
  const gradus::Tensor drawn = gradus::normal({60}, {.seed = 3});
  ask("60 logits, min_p 0.1", {drawn.begin(), drawn.end()}, 0.1);
  ask("logits of some hundred", {300, 800, 799, 100}, 0.1);
}

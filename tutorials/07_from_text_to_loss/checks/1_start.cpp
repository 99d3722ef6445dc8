#include "tutorials/07_from_text_to_loss/exercises.h"
#include "tutorials/common/check.h"

namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(b)); }

}  // namespace

int main() {
  return run_check([] {
    for (const int v : {2, 61, 65, 50257}) {
      const double got = loss_at_the_start(v), expected = std::log(v);
      if (near(got, expected)) continue;
      const std::string said = "the loss at the start of " + std::to_string(v) + " tokens: got " +
                               std::to_string(got) + ", expected " + std::to_string(expected);
      red(said + (near(got, std::log2(v)) ? "\nlikely cause: that is in bits; nats were asked for"
                  : near(got, -expected)  ? "\nlikely cause: the sign: a surprise is never negative"
                  : near(got, 1.0 / v)    ? "\nlikely cause: that is the probability of one token, "
                                            "not the surprise at it"
                                          : ""));
    }
    green("the loss at the start of 2, 61, 65 and 50257 tokens");
    const std::vector<std::vector<double>> lists = {
        {0.25, 0.25, 0.25},
        {0.5, 0.125},
        {1, 1, 1, 1},
        {0.9, 0.01, 0.3, 0.2, 0.6},
        std::vector<double>(2000, 0.1)};  // a long text, whose product is no number above 0
    for (const std::vector<double>& p : lists) {
      double surprise = 0, sum = 0;
      for (const double each : p) surprise -= std::log(each), sum += each;
      const double n = static_cast<double>(p.size());
      const double got = perplexity(p), expected = std::exp(surprise / n);
      if (near(got, expected)) continue;
      if (n == 2000) {
        red("the perplexity of 2000 probabilities of 0.1: got " + std::to_string(got) +
            ", expected 10\nlikely cause: the product of many probabilities is 0 as a "
            "floating-point "
            "number; add up their logarithms");
      }
      std::string said = "the perplexity of the probabilities";
      for (const double each : p) said += " " + std::to_string(each);
      said += ": got " + std::to_string(got) + ", expected " + std::to_string(expected);
      red(said + (near(got, n / sum)
                      ? "\nlikely cause: the mean was taken of the probabilities; take it of "
                        "their surprises"
                  : near(got, std::exp2(surprise / n))
                      ? "\nlikely cause: two to the power of a loss in nats; "
                        "two goes with bits, e with nats"
                  : near(got, std::exp(surprise))
                      ? "\nlikely cause: the sum of the surprises, not their mean"
                      : ""));
    }
    green("the perplexity of five lists of probabilities");
  });
}

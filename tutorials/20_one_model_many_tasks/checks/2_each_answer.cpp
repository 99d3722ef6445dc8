#include "tutorials/20_one_model_many_tasks/exercises.h"
#include "tutorials/common/guards.h"

using gradus::green;
using gradus::red;

namespace {

constexpr std::int32_t kNo = -100;

/// The loss by definition, in double, and its gradient by the logits.
std::pair<double, std::vector<double>> right(const Tensor& logits, const IndexTensor& targets) {
  const Index length = targets.size(1), vocab = logits.size(2);
  std::vector<double> gradient(static_cast<std::size_t>(logits.size()));
  double total = 0, rows = 0;
  for (Index b = 0; b < targets.size(0); ++b)
    rows += std::any_of(targets.begin() + b * length, targets.begin() + (b + 1) * length,
                        [](std::int32_t target) { return target != kNo; });
  for (Index b = 0; b < targets.size(0); ++b) {
    double asked = 0;
    for (Index t = 0; t < length; ++t) asked += targets.data()[b * length + t] != kNo;
    for (Index t = 0; t < length; ++t) {
      const Index target = targets.data()[b * length + t], at = (b * length + t) * vocab;
      if (target == kNo) continue;
      const Scalar* row = logits.data() + at;
      const double largest = *std::max_element(row, row + vocab);
      double sum = 0;
      for (Index v = 0; v < vocab; ++v) sum += std::exp(row[v] - largest);
      total += (largest + std::log(sum) - row[target]) / asked / rows;
      for (Index v = 0; v < vocab; ++v) {
        gradient[static_cast<std::size_t>(at + v)] =
            (std::exp(row[v] - largest) / sum - (v == target)) / asked / rows;
      }
    }
  }
  return {total, gradient};
}

void ask(const std::string& what, Tensor logits, const IndexTensor& targets,
         const std::string& cause) {
  logits.set_requires_grad();
  const auto [expected, gradient] = right(logits, targets);
  const Tensor got =
      gradus::unchanged<Tensor>(what, {logits}, [&] { return loss_of_answers(logits, targets); });
  if (!got.defined() || got.size() != 1)
    red(what + ": " + gradus::shape_got(got) + ", expected []");
  gradus::must_be_finite(what, got, cause);
  if (std::abs(got.item() - expected) > 1e-4 * std::max(1.0, expected)) {
    red(what + ": got " + std::to_string(got.item()) + ", expected " + std::to_string(expected) +
        "\nlikely cause: " + cause);
  }
  if (got.requires_grad()) backward(got);
  const Tensor arrived = logits.grad().defined() ? logits.grad() : zeros(logits.shape());
  gradus::must_be_finite(what + ": the gradient by the logits", arrived, cause);
  double most = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    most = std::max(most, std::abs(gradient[i] - double{arrived.data()[i]}));
  }
  if (most > 1e-4) {
    red(what + ": the gradient by the logits is off by up to " + std::to_string(most) +
        "\nlikely cause: a detach(), or numbers copied out of the graph");
  }
  green(what);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    const IndexTensor one({1, 4}, {kNo, kNo, 2, 1});
    ask("one row", normal({1, 4, 5}, {.seed = 1}), one,
        "-100 means that nothing is asked; each row gives its mean, not its sum: divide by the "
        "tokens that count, not by T");
    const IndexTensor two({2, 4}, {kNo, 1, 2, 1, 3, kNo, kNo, kNo});
    ask("three tokens beside one", normal({2, 4, 5}, {.seed = 2}), two,
        "the mean over all tokens: long answers count more; here each row counts the same. Then "
        "divide by the number of rows; go through all rows");
    const IndexTensor empty({3, 3}, {kNo, 4, 1, kNo, kNo, kNo, 0, kNo, 2});
    ask("a row that asks for nothing", normal({3, 3, 5}, {.seed = 3}), empty,
        "a row without a target does not count, and the rows after it do");
    ask("logits of about 10,000", normal({2, 4, 5}, {.seed = 4}, 0, 1e4), two,
        "exp() of such a number is infinite; log_softmax subtracts the largest first");
    std::vector<std::int32_t> many;
    for (int i = 0; i < 40 * 9; ++i) many.push_back(i % 9 >= i / 9 % 9 ? i * i % 7 : kNo);
    ask("40 rows", normal({40, 9, 7}, {.seed = 5}), IndexTensor({40, 9}, many),
        "go through all rows");
  });
}
